/** The words of a command line that make a later run like an earlier one. */
import type { FlagSettings, ResolvedSettings } from "./settings/resolve-settings.ts";
import { SETTING_NAMES, type SettingName, settingSpec } from "./settings/settings.ts";

/** What may make an agent's rights wider or narrower. A later shell may lack the variables that set it here. */
const RIGHTS: readonly SettingName[] = [
  "PLATFORM_DRIVER",
  "ALLOWED_TOOLS",
  "CLAUDE_PERMISSION_MODE",
  "PERMISSION_DENIAL_MODE",
  "SANDBOX",
];

/**
 * The words after `ralph run` that repeat a run: its mode, the settings given by flags, and the rights that came from the
 * environment. Each flag is one word, `--name=value`. What only concerns the screen or this program is left out.
 * @param given the mode, and the settings as the command line had them
 */
export function runWords(
  { settings, sources }: Pick<ResolvedSettings, "settings" | "sources">,
  given: { mode: string | null; flags: FlagSettings },
): string[] {
  const flags = SETTING_NAMES.flatMap((name) => {
    const { flag, group } = settingSpec(name);
    if (flag === undefined || group === "ralph") return [];
    const value = settings[name];
    const text =
      sources[name].source === "flag"
        ? (given.flags[name]?.text ?? null)
        : sources[name].source === "env" && RIGHTS.includes(name)
          ? [value].flat().join(",")
          : null;
    if (text === null) return [];
    if (flag.hint === undefined) return [text === "false" ? `--no-${flag.name}` : `--${flag.name}`];
    return [`--${flag.name}=${text}`];
  });
  return [...(given.mode === null ? [] : [given.mode]), ...flags];
}
