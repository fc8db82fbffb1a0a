/** The bounds of a worker that does one task after the other: they hold for all its tasks together, as for one run. */
import { MINUTE_MS } from "../durations.ts";
import type { State } from "../journal/state.ts";
import type { FlagSettings } from "../settings/resolve-settings.ts";
import type { SettingName, Settings } from "../settings/settings.ts";
import { headroomOf } from "../stop/stop-rule.ts";
import { BOUND_PARTS, PARTED_BOUNDS, type PartedBound } from "./bound-parts.ts";

/** What a worker has used since it began: iterations, USD and tokens of its runs, and the time, which goes by between them too. */
export type WorkerUse = Readonly<Record<PartedBound | "ms", number>>;

/** @param runs the states of the runs that it had @param ms since it began */
export function useOf(runs: readonly State[], ms: number): WorkerUse {
  const sum = (bound: PartedBound) =>
    runs.reduce((total, run) => total + headroomOf(bound, run, run.settings, 0).used, 0);
  return { max_iterations: sum("max_iterations"), max_cost: sum("max_cost"), max_tokens: sum("max_tokens"), ms };
}

/** The settings of the worker's next run; or the bound that leaves nothing for one. */
export function boundsLeft(settings: Settings, use: WorkerUse): { flags: FlagSettings } | { reached: SettingName } {
  const flags: { -readonly [name in keyof FlagSettings]: FlagSettings[name] } = {};
  for (const bound of PARTED_BOUNDS) {
    const { setting, flag, least, text } = BOUND_PARTS[bound];
    const most = settings[setting];
    if (most === null) continue;
    const left = most - use[bound];
    if (left < least) return { reached: setting };
    flags[setting] = { text: text(left), flag };
  }
  if (settings.MAX_TIME === null) return { flags };
  const seconds = Math.floor((settings.MAX_TIME * MINUTE_MS - use.ms) / 1000);
  if (seconds < 1) return { reached: "MAX_TIME" };
  return { flags: { ...flags, MAX_TIME: { text: `${seconds}s`, flag: "--max-time" } } };
}
