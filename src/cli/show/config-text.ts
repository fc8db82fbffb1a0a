import type { ConfigWarning, ResolvedSettings } from "../../core/settings/resolve-settings.ts";
import { settingText } from "../../core/settings/setting-text.ts";
import { SETTING_NAMES, type SettingName, settingSpec } from "../../core/settings/settings.ts";
import { visibleStyles } from "../../core/text/plain-text.ts";
import { fit } from "../../view/text/text.ts";

const GAP = "  ";
/** Width of the column of changed values. A longer value moves its source to the right. */
const VALUE_COLUMN = 24;

/** The settings as a table: changed ones first, each with its source, then the defaults, dimmed. */
export function settingsTable(resolved: ResolvedSettings, options: { color: boolean; rowColumns: number }): string {
  const changed = SETTING_NAMES.filter((name) => resolved.sources[name].source !== "default");
  const untouched = SETTING_NAMES.filter((name) => !changed.includes(name));
  const width = Math.max(...SETTING_NAMES.map((name) => name.length));
  const dim = (line: string) => (options.color ? `\u001b[2m${line}\u001b[22m` : line);
  const row = (name: SettingName) => `${name.padEnd(width)}${GAP}${visibleStyles(givenText(name, resolved))}`;
  const rows = changed.map((name) => `${row(name).padEnd(width + VALUE_COLUMN)}${GAP}${sourceText(resolved, name)}`);
  const defaults = untouched.map((name) => dim(fit(row(name), options.rowColumns)));
  const head = rows.length === 0 ? [] : [...rows, ""];
  return `${[...head, dim(rows.length === 0 ? "All settings are defaults:" : "Defaults:"), ...defaults].join("\n")}\n`;
}

/** One warning, with its place first. */
export function warningText({ message, where }: ConfigWarning): string {
  return `${where}: ${message}`;
}

/** A value as the settings file would hold it; a duration as it was given. */
export function givenText(name: SettingName, { settings, written }: ResolvedSettings): string {
  const given = settingSpec(name).kind === "minutes" ? written[name]?.trim() : undefined;
  return given ?? settingText(name, settings[name]);
}

export function sourceText({ sources }: ResolvedSettings, name: SettingName): string {
  const { source, where } = sources[name];
  return source === "env" ? `environment ${where}` : `${source} ${where}`;
}
