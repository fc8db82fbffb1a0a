import { RalphError } from "../core/errors.ts";
import { type ConfigProblem, type ResolvedSettings, resolveSettings } from "../core/settings/resolve-settings.ts";
import { readSettingsFile } from "../effects/project/read-settings.ts";
import { readUserSettings } from "../effects/user/user-settings.ts";
import type { CommandContext } from "./context.ts";

/**
 * The effective settings of a command. The caller shows the warnings.
 * @throws RalphError `usage` or `config` with every problem, a line each
 */
export function loadSettings(context: Pick<CommandContext, "settings" | "env" | "projectDir">): ResolvedSettings {
  const file = readSettingsFile(context.projectDir);
  const user = readUserSettings(context.env);
  const resolved = resolveSettings({ flags: context.settings, env: context.env, file, user });
  const [first] = resolved.problems;
  if (first === undefined) return resolved;
  // A hint stands right after the problem that it belongs to.
  const lines = resolved.problems.flatMap((problem, at, all) => {
    const isLast = at === all.length - 1;
    return problem.hint === null || isLast ? [problemText(problem)] : [problemText(problem), `  ${problem.hint}`];
  });
  throw new RalphError(first.code, lines.join("\n"), { hint: resolved.problems.at(-1)?.hint ?? null });
}

/** What is wrong, with file and line where it stands in one. */
export function problemText({ code, where, message }: ConfigProblem): string {
  return code === "config" && where.includes(":") ? `${where}: ${message}` : message;
}
