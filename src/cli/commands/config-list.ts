import { masksOf } from "../../core/secrets/mask.ts";
import type { ResolvedSettings } from "../../core/settings/resolve-settings.ts";
import { SETTING_NAMES } from "../../core/settings/settings.ts";
import { jsonFile } from "../../core/state-files/file-json.ts";
import { driverWarnings } from "../../driver-host/driver-warnings.ts";
import { findBuiltIn } from "../../driver-host/registry.ts";
import type { CommandContext } from "../context.ts";
import type { JsonArgs } from "../definitions/json-flag.ts";
import { loadSettings } from "../load-settings.ts";
import { settingsTable, warningText } from "../show/config-text.ts";

/**
 * `ralph config [list] [--json]`: the effective settings, each with its source (interfaces.md "ralph config --json").
 * @throws RalphError `usage` or `config` if a value is not allowed or the file cannot be read
 */
export async function run(context: CommandContext<JsonArgs>): Promise<number> {
  const loaded = withDriverWarnings(loadSettings(context));
  const mask = masksOf(loaded.settings, context.env).text;
  // Before a value is cut to the terminal's width: a piece of a secret is one too.
  const resolved = { ...loaded, settings: maskedStrings(loaded.settings, mask) };
  if (context.args.json) {
    context.stdout(jsonFile(configDocument(resolved)));
    return 0;
  }
  context.stdout(settingsTable(resolved, context));
  for (const warning of resolved.warnings) context.log.warn(mask(warningText(warning)));
  return 0;
}

/** Adds the warnings of a built-in driver. A driver in a file is left out: asking it would run it. */
function withDriverWarnings(resolved: ResolvedSettings): ResolvedSettings {
  const found = findBuiltIn(resolved.settings.PLATFORM_DRIVER);
  if (found === null) return resolved;
  return { ...resolved, warnings: [...resolved.warnings, ...driverWarnings(found.driver, resolved)] };
}

function maskedStrings<T>(value: T, mask: (text: string) => string): T {
  return JSON.parse(JSON.stringify(value), (_, part: unknown) => (typeof part === "string" ? mask(part) : part));
}

function configDocument({ settings, sources, warnings }: ResolvedSettings) {
  const rows = SETTING_NAMES.map((name) => [name, { value: settings[name], ...sources[name] }] as const);
  return { settings: Object.fromEntries(rows), warnings };
}
