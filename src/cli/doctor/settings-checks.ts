import { gateProgram } from "../../core/decide/gate-program.ts";
import { gateCommands } from "../../core/decide/gate-rules.ts";
import { type CheckResult, failed, failedBy, passed, warned } from "../../core/report/check-result.ts";
import { type ResolvedSettings, resolveSettings } from "../../core/settings/resolve-settings.ts";
import type { Settings } from "../../core/settings/settings.ts";
import type { Host } from "../../driver.ts";
import { readSettingsFile } from "../../effects/project/read-settings.ts";
import { readPrices } from "../../effects/user/price-file.ts";
import { readUserSettings } from "../../effects/user/user-settings.ts";
import type { CommandContext } from "../context.ts";
import { loadSettings } from "../load-settings.ts";

/** The settings with their problems; those that cannot be used have their defaults. */
export function settingsChecks(context: CommandContext): { resolved: ResolvedSettings; results: CheckResult[] } {
  try {
    const resolved = loadSettings(context);
    const results = resolved.warnings.map(({ message, where }) => warned("settings", message, where));
    return { resolved, results: results.length > 0 ? results : [passed("settings", changed(resolved))] };
  } catch (error) {
    return { resolved: usableSettings(context), results: [failedBy("settings", error)] };
  }
}

/** All that can be used beside what is refused, so that nothing else looks wrong. */
function usableSettings({ settings: flags, env, projectDir }: CommandContext): ResolvedSettings {
  try {
    return resolveSettings({ flags, env, file: readSettingsFile(projectDir), user: readUserSettings(env) });
  } catch {
    return resolveSettings({ flags, env, file: null });
  }
}

function changed({ sources }: ResolvedSettings): string {
  const count = Object.values(sources).filter(({ source }) => source !== "default").length;
  return count === 0 ? "all defaults" : `${count} set`;
}

/** Whether the user's prices can be read, without which no run starts; nothing where they can. */
export function priceChecks(host: Host): CheckResult[] {
  try {
    readPrices(host);
    return [];
  } catch (error) {
    return [failedBy("prices", error)];
  }
}

/** Whether the gates' commands can be started. */
export function gateChecks(settings: Settings, host: Host): CheckResult[] {
  const commands = gateCommands(settings);
  if (commands.length === 0) return [passed("gates", "none")];
  const blocks = settings.DONE_POLICY === "evidence" || settings.QUALITY_GATE_MODE !== "warn";
  const missing = commands.flatMap((command) => {
    const program = gateProgram(command);
    return program === null || host.which(program) !== null ? [] : [{ command, program }];
  });
  if (missing.length === 0) return [passed("gates", commands.join("; "))];
  return missing.map(({ command, program }) =>
    (blocks ? failed : warned)(
      "gates",
      `${JSON.stringify(command)} starts ${program}, which is missing.`,
      `Install ${program}, or change TEST_COMMAND or QUALITY_GATES.`,
    ),
  );
}
