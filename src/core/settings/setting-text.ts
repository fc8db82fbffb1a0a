import type { SettingValue } from "./setting-spec.ts";
import { type SettingName, settingSpec } from "./settings.ts";

/** A value as the settings file would hold it. */
export function settingText(name: SettingName, value: SettingValue): string {
  const spec = settingSpec(name);
  if (Array.isArray(value))
    return value.length === 0 ? "none" : value.join(spec.kind === "list" ? spec.separator : ",");
  if (value === null) return spec.kind === "text" || spec.kind === "name" ? "not set" : "none";
  return String(value);
}
