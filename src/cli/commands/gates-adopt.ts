import { join } from "node:path";
import { gateCommands } from "../../core/decide/gate-rules.ts";
import { RalphError } from "../../core/errors.ts";
import type { SettingName } from "../../core/settings/settings.ts";
import { NEEDS_PROJECT_HINT } from "../../core/text/hints.ts";
import { slashPath } from "../../effects/files/slash-path.ts";
import { checkRalphDir, isRalphProject, projectPaths, readOptional } from "../../effects/project/project-paths.ts";
import { writeSettingsFile } from "../../effects/project/write-settings.ts";
import { withSetting } from "../../setup/edit-settings.ts";
import { byOwnHand } from "../agent/own-hand.ts";
import type { CommandContext } from "../context.ts";
import type { GatesAdoptArgs } from "../definitions/gates.ts";
import { loadSettings } from "../load-settings.ts";
import { refuseAgents } from "../run/send-control.ts";
import { inspectSite } from "../setup/inspect-site.ts";

/**
 * `ralph gates adopt [COMMAND]`: writes a check into the settings file, as a gate that "done" needs from the next run on.
 * @throws RalphError `environment` if an agent asks, this is no Ralph project, or no check is found; `usage` if the command would be several gates
 */
export async function run(context: CommandContext<GatesAdoptArgs>): Promise<number> {
  const { projectDir } = context;
  const ralph = checkRalphDir(projectDir);
  refuseAgents(context, ralph);
  if (!isRalphProject(projectDir))
    throw new RalphError("environment", `${projectDir} is not a Ralph project.`, { hint: NEEDS_PROJECT_HINT });
  const { settings } = loadSettings(context);
  const command = (context.args.command ?? []).join(" ").trim() || inspectSite(context, null).findings.commands.test;
  if (command === null)
    throw new RalphError("environment", "No check is found in this project.", {
      hint: 'Name it, as in: ralph gates adopt "make check"',
    });
  const isGate = gateCommands(settings).includes(command);
  const gate: [SettingName, string] =
    settings.TEST_COMMAND === null
      ? ["TEST_COMMAND", command]
      : ["QUALITY_GATES", [...settings.QUALITY_GATES, command].join(";")];
  if (!isGate && gate[0] === "QUALITY_GATES" && command.includes(";"))
    throw new RalphError("usage", `\`${command}\` would be more than one gate: QUALITY_GATES has a ; between them.`, {
      hint: "Adopt them one by one, join them with &&, or put them into a script.",
    });
  const file = projectPaths(projectDir, null, null).settings ?? join(ralph, ".ralphrc");
  const changes: [SettingName, string][] = [
    ...(isGate ? [] : [gate]),
    ...(settings.DONE_POLICY === "evidence" ? [] : [["DONE_POLICY", "evidence"] satisfies [SettingName, string]]),
  ];
  const text = readOptional(file) ?? "";
  const changed = changes.reduce((lines, [name, value]) => withSetting(lines, name, value), text);
  if (changes.length > 0)
    await byOwnHand(projectDir, context.env, () => writeSettingsFile(file, changed, { follow: false }));
  if (!context.args.quiet)
    context.stdout(
      changes.length === 0
        ? `\`${command}\` is a gate already.\n`
        : `\`${command}\` is a gate from the next run on: "done" needs it green (${slashPath(projectDir, file)}).\n`,
    );
  return 0;
}
