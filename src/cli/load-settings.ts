import { RalphError } from "../core/errors.ts";
import { type ConfigProblem, type ResolvedSettings, resolveSettings } from "../core/settings/resolve-settings.ts";
import { readSettingsFile } from "../effects/project/read-settings.ts";
import type { CommandContext } from "./context.ts";

/**
 * The effective settings of a command. The caller shows the warnings.
 * @throws RalphError `usage` or `config` with every problem, a line each
 */
export function loadSettings(context: Pick<CommandContext, "settings" | "env" | "projectDir">): ResolvedSettings {
  const file = readSettingsFile(context.projectDir);
  const resolved = resolveSettings({ flags: context.settings, env: context.env, file });
  const [first] = resolved.problems;
  if (first === undefined) return resolved;
  const message = resolved.problems.map(describe).join("\n");
  throw new RalphError(first.code, message, {
    hint: resolved.problems.find((problem) => problem.hint !== null)?.hint ?? null,
  });
}

function describe({ code, where, message }: ConfigProblem): string {
  return code === "config" && where.includes(":") ? `${where}: ${message}` : message;
}
