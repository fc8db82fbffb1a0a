import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { type ResolvedSettings, resolveSettings, unknownKey } from "../../core/settings/resolve-settings.ts";
import { type SettingName, settingNamed } from "../../core/settings/settings.ts";
import { NEEDS_PROJECT_HINT } from "../../core/text/hints.ts";
import { slashPath } from "../../effects/files/slash-path.ts";
import { isRalphProject, projectPaths, RALPH_DIR } from "../../effects/project/project-paths.ts";
import { readSettingsAt, readSettingsFile } from "../../effects/project/read-settings.ts";
import { writeSettingsFile } from "../../effects/project/write-settings.ts";
import { readUserSettings, userSettingsPath } from "../../effects/user/user-settings.ts";
import type { CommandContext } from "../context.ts";
import { problemText } from "../load-settings.ts";
import { liveRun, refuseAgents } from "../run/send-control.ts";

/** A settings file that a person changes: the project's, or the one for all of the user's projects. */
export type SettingsTarget = {
  /** Absolute path. */
  file: string;
  /** Its path as shown. */
  shown: string;
  /** Its content; empty if there is none yet. */
  text: string;
  isUsers: boolean;
};

/**
 * The settings file to change.
 * @throws RalphError `environment` if an agent asks, or this is no Ralph project
 */
export function openTarget(context: Pick<CommandContext, "projectDir" | "env">, isUsers: boolean): SettingsTarget {
  const { projectDir, env } = context;
  const ralph = join(projectDir, RALPH_DIR);
  const live = refuseAgents(context, ralph);
  if (isUsers) {
    const file = userSettingsPath(env);
    return { file, shown: file, text: readUserSettings(env)?.text ?? "", isUsers };
  }
  const known = projectPaths(projectDir, null, null).settings;
  if (known === null && !isRalphProject(projectDir))
    throw new RalphError("environment", `${projectDir} is not a Ralph project.`, {
      hint: `${NEEDS_PROJECT_HINT}. For all your projects: ralph config set --user`,
    });
  // The run would take a new file for the agent's.
  if (known === null && live !== null)
    throw new RalphError("environment", `Run ${live.run} began without a settings file; a new one waits for its end.`, {
      hint: "End it first, with: ralph stop",
    });
  const file = known ?? join(ralph, ".ralphrc");
  const shown = slashPath(projectDir, file);
  return { file, shown, text: readSettingsAt(file, shown)?.text ?? "", isUsers };
}

/** Says what a change means for the run that is live, if one is. */
export function tellOfLiveRun({ projectDir, log }: Pick<CommandContext, "projectDir" | "log">): void {
  if (liveRun(join(projectDir, RALPH_DIR)) !== null)
    log.info("The live run keeps the settings that it began with; the next one has this.");
}

/** @throws RalphError `environment` if the file cannot be written */
export function saveTarget({ file, isUsers }: SettingsTarget, text: string): void {
  writeSettingsFile(file, text, { follow: isUsers });
}

/**
 * The setting of that name.
 * @throws RalphError `usage` for an unknown one
 */
export function requireSetting(key: string): SettingName {
  const name = settingNamed(key);
  if (name === null) throw new RalphError("usage", unknownKey(key), { hint: "See them all with: ralph config" });
  return name;
}

/** The settings as the files hold them now, with everything that is wrong in them. */
export function settingsNow({ projectDir, env }: Pick<CommandContext, "projectDir" | "env">): ResolvedSettings {
  return resolveSettings({ flags: {}, env, file: readSettingsFile(projectDir), user: readUserSettings(env) });
}

/** Says what keeps each run from starting, as long as it stands: a change of another line does not mend it. */
export function tellOfProblems({ log }: Pick<CommandContext, "log">, { problems }: ResolvedSettings): void {
  for (const problem of problems) log.warn(`No run starts before this is mended: ${problemText(problem)}`);
}

/** What stands before a setting of this file, so that a change has no effect here; null for nothing. */
export function overruledBy(
  name: SettingName,
  { isUsers }: SettingsTarget,
  { sources }: ResolvedSettings,
): string | null {
  const { source, where } = sources[name];
  if (source === "env") return `${where} in the environment comes before it.`;
  return isUsers && source === "file" ? `${where} comes before it in this project.` : null;
}
