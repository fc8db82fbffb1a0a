/** The bounds of a worker that does one task after the other: they hold for all its tasks together, as for one run. */
import type { State } from "../journal/state.ts";
import type { FlagSettings } from "../settings/resolve-settings.ts";
import type { SettingName, Settings } from "../settings/settings.ts";
import { headroomOf } from "../stop/stop-rule.ts";

/** By setting: its bound, its flag, the least that a run can be given, and how a value is written. */
const BOUNDS = {
  MAX_ITERATIONS: { reason: "max_iterations", flag: "--max-iterations", least: 1, text: String },
  MAX_COST_USD: { reason: "max_cost", flag: "--max-cost", least: 0.01, text: (usd: number) => usd.toFixed(2) },
  MAX_TOKENS: { reason: "max_tokens", flag: "--max-tokens", least: 1, text: String },
  MAX_TIME: { reason: "max_time", flag: "--max-time", least: 1000, text: (ms: number) => `${Math.floor(ms / 1000)}s` },
} as const satisfies Partial<Record<SettingName, unknown>>;

type Bound = keyof typeof BOUNDS;
const NAMES = Object.keys(BOUNDS) as Bound[];
/** What runs add up to. The time goes by between them too. */
const SUMMED = ["MAX_ITERATIONS", "MAX_COST_USD", "MAX_TOKENS"] as const satisfies Bound[];

/** What a worker has used of each bound since it began: iterations, USD, tokens, ms. */
export type WorkerUse = Readonly<Record<Bound, number>>;

/** @param runs the states of the runs that it had @param ms since it began */
export function useOf(runs: readonly State[], ms: number): WorkerUse {
  const sums = SUMMED.map((name) => [name, runs.reduce((sum, run) => sum + used(name, run), 0)] as const);
  return { ...(Object.fromEntries(sums) as Record<(typeof SUMMED)[number], number>), MAX_TIME: ms };
}

function used(name: Bound, run: State): number {
  return headroomOf(BOUNDS[name].reason, run, run.settings, 0).used;
}

/** The settings of the worker's next run; or the bound that leaves nothing for one. */
export function boundsLeft(settings: Settings, use: WorkerUse): { flags: FlagSettings } | { reached: Bound } {
  const flags: { -readonly [name in keyof FlagSettings]: FlagSettings[name] } = {};
  for (const name of NAMES) {
    const most = settings[name];
    if (most === null) continue;
    const { flag, least, text } = BOUNDS[name];
    const left = (name === "MAX_TIME" ? most * 60_000 : most) - use[name];
    if (left < least) return { reached: name };
    flags[name] = { text: text(left), flag };
  }
  return { flags };
}
