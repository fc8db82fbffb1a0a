import type { SettingValue } from "../settings/setting-spec.ts";
import {
  asSettings,
  defaultOf,
  SETTING_NAMES,
  type SettingName,
  type Settings,
  settingSpec,
} from "../settings/settings.ts";

/** A setting with another value than the run had; `follows`: nobody asked for it, it is the default under the new DONE_POLICY. */
export type ChangedSetting = { setting: SettingName; from: SettingValue; to: SettingValue; follows?: true };

/** Settings in place of a run's own. */
export type SettingChanges = Partial<Settings>;

/** The settings that a run had; one that its version did not know yet has its default. */
export function recordedSettings(recorded: Record<string, unknown>): Settings {
  return asSettings((name) => (name in recorded ? (recorded[name] as SettingValue) : defaultOf(name)));
}

/**
 * A run's settings with changes, and what then differs. The record does not tell a default from the same value that was given,
 * so with another DONE_POLICY each value that is the default of the old policy becomes that of the new one.
 */
export function withChanges(own: Settings, changes: SettingChanges): { settings: Settings; changed: ChangedSetting[] } {
  const policy = changes.DONE_POLICY ?? own.DONE_POLICY;
  const settings = asSettings((name) => {
    const given = changes[name];
    if (given !== undefined) return given;
    const isDefault = policy !== own.DONE_POLICY && own[name] === policyDefault(name, own.DONE_POLICY);
    return isDefault ? policyDefault(name, policy) : own[name];
  });
  const isOther = (name: SettingName) =>
    settings[name] !== own[name] && JSON.stringify(settings[name]) !== JSON.stringify(own[name]);
  const changed = SETTING_NAMES.filter(isOther).map(
    (name): ChangedSetting => ({
      setting: name,
      from: own[name],
      to: settings[name],
      ...(name in changes ? {} : { follows: true }),
    }),
  );
  return { settings, changed };
}

function policyDefault(name: SettingName, policy: Settings["DONE_POLICY"]): SettingValue {
  const spec = settingSpec(name);
  const other = spec.kind === "integer" && policy === "evidence" ? spec.underEvidence : undefined;
  return other ?? defaultOf(name);
}
