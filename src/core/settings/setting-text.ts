import { MINUTE_MS, SECOND_MS } from "../durations.ts";
import type { SettingValue } from "./setting-spec.ts";
import { type SettingName, settingSpec } from "./settings.ts";

/** Whether a setting has no value: then its text is a word for a reader. */
export function isUnset(value: SettingValue): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** A value as the settings file would hold it. */
export function settingText(name: SettingName, value: SettingValue): string {
  const spec = settingSpec(name);
  if (isUnset(value)) return spec.kind === "text" || spec.kind === "form" ? "not set" : "none";
  if (spec.kind === "minutes" && !Number.isInteger(value))
    return `${Math.round((Number(value) * MINUTE_MS) / SECOND_MS)}s`;
  return Array.isArray(value) ? value.join(spec.kind === "list" ? spec.separator : ",") : String(value);
}
