import { type ConfigProblem, resolveSettings } from "../settings/resolve-settings.ts";
import { SETTING_NAMES, type SettingName, settingNamed } from "../settings/settings.ts";
import { didYouMean } from "../settings/suggest.ts";
import type { SettingChanges } from "./changed-settings.ts";

/** Settings in the words `NAME=VALUE`; the last value of a name counts. @returns what is wrong with the first bad one */
export function parseChanges(words: readonly string[]): SettingChanges | Pick<ConfigProblem, "message" | "hint"> {
  const flags: Partial<Record<SettingName, { text: string; flag: string }>> = {};
  for (const word of words) {
    const [key = "", ...rest] = word.split("=");
    if (rest.length === 0)
      return { message: `--what-if ${word} has no value.`, hint: "Write it as: --what-if MAX_ITERATIONS=5" };
    const name = settingNamed(key.trim());
    if (name === null)
      return {
        message: `${key} is no setting of ralph.${didYouMean(key, SETTING_NAMES)}`,
        hint: "See them with: ralph config",
      };
    flags[name] = { text: rest.join("="), flag: `--what-if ${key.trim()}` };
  }
  const { settings, problems } = resolveSettings({ flags, env: {}, file: null });
  const [problem] = problems;
  if (problem !== undefined) return problem;
  return Object.fromEntries(SETTING_NAMES.filter((name) => name in flags).map((name) => [name, settings[name]]));
}
