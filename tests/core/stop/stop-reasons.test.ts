import { describe, expect, test } from "bun:test";
import { noSignals } from "../../../src/core/decide/completion-signals.ts";
import { decide } from "../../../src/core/decide/decide.ts";
import { untestedGates } from "../../../src/core/gates/gate-trust.ts";
import type { State } from "../../../src/core/journal/state.ts";
import { noUsage } from "../../../src/core/journal/usage.ts";
import { SETTING_NAMES, type Settings, settingSpec } from "../../../src/core/settings/settings.ts";
import {
  type BreakerInput,
  type CircuitBreaker,
  closedBreaker,
  stepBreaker,
} from "../../../src/core/stop/circuit-breaker.ts";
import { noFailures } from "../../../src/core/stop/failure-backoff.ts";
import { noHeadway } from "../../../src/core/stop/headway.ts";
import { tightestLimits } from "../../../src/core/stop/limit-headroom.ts";
import { type CountedReason, STOP_REASONS, type StopReason } from "../../../src/core/stop/stop-reasons.ts";
import { BOUND_REASONS, COUNTED_REASONS, headroomOf, stopRule } from "../../../src/core/stop/stop-rule.ts";
import { MINUTE, NOON, settingsOf, stateOf } from "../given.ts";

const numbers = (n: number) => Array.from({ length: n }, (_, index) => index);

type Counting = {
  settings?: Partial<Settings>;
  limit: number;
  state?: (n: number) => Partial<State>;
  /** MAX_TIME counts minutes since the start. */
  minutes?: true;
};

/** For each rule of `decide`, how it reaches a count of n, and its limit with these settings. */
const counting: Partial<Record<CountedReason, Counting>> = {
  completion_signals: { limit: 2, state: (n) => ({ signals: { ...noSignals(), done_signals: numbers(n) } }) },
  test_saturation: { limit: 3, state: (n) => ({ signals: { ...noSignals(), test_only_loops: numbers(n) } }) },
  max_iterations: { settings: { MAX_ITERATIONS: 7 }, limit: 7, state: (n) => ({ iterations: n, iteration: n }) },
  max_cost_per_task: {
    settings: { MAX_COST_PER_TASK: 5 },
    limit: 5,
    state: (n) => ({ task_usage: { ...noUsage(), cost_usd: n } }),
  },
  max_cost_per_day: {
    settings: { MAX_COST_PER_DAY: 5 },
    limit: 5,
    state: (n) => ({ day_spent: { day: "2026-03-04", usd: n } }),
  },
  max_cost: { settings: { MAX_COST_USD: 5 }, limit: 5, state: (n) => ({ usage: { ...noUsage(), cost_usd: n } }) },
  max_tokens: { settings: { MAX_TOKENS: 9 }, limit: 9, state: (n) => ({ usage: { ...noUsage(), output_tokens: n } }) },
  max_time: { settings: { MAX_TIME: 30 }, limit: 30, minutes: true },
  stop_at: { settings: { STOP_AT: "12:30" }, limit: 30, minutes: true },
  denied_repeatedly: { limit: 5, state: (n) => ({ headway: { ...noHeadway(), denied: n } }) },
  no_headway: {
    limit: 8,
    state: (n) => ({
      headway: { ...noHeadway(), same: n, files: ["a"] },
      plan: { total: 1, checked: 0, unchecked: 1, blocking_unchecked: 1 },
    }),
  },
  blocked: { limit: 2, state: (blocked) => ({ blocked }) },
  completion_disputed: {
    settings: { DONE_POLICY: "evidence" },
    limit: 3,
    state: (n) => ({ held: { disputed: n, gated: 0 } }),
  },
  safety_circuit_breaker: {
    settings: { QUALITY_GATE_MODE: "block" },
    limit: 5,
    state: (n) => ({ held: { disputed: 0, gated: n } }),
  },
  gate_weakened: {
    settings: { QUALITY_GATE_MODE: "block" },
    limit: 2,
    state: (claims) => ({ gate_trust: { ...untestedGates(), claims } }),
  },
  infrastructure_failures: { limit: 10, state: (n) => ({ failures: { ...noFailures(), count: n } }) },
};

/** The counters of the breaker, which opens at the end of an iteration. */
const breaking: Partial<Record<CountedReason, Partial<BreakerInput>>> = {
  stagnation_detected: { progress: "none" },
  repeated_error: { errors: "e" },
  permission_denials: { denied: true },
  read_only_timeouts: { readOnlyTimeout: true },
};

describe("the shown limit ends the run", () => {
  const rows = Object.entries(counting) as [CountedReason, Counting][];
  test.each(rows)("for the rule %s of the loop", (reason, { settings: about = {}, limit, state, minutes }) => {
    const settings = settingsOf(about);
    const at = (n: number) => stateOf({ settings: { ...settings }, ...state?.(n) });
    const now = (n: number) => (minutes ? NOON + n * MINUTE : NOON);
    const shown = (n: number) => tightestLimits(at(n), now(n)).find((headroom) => headroom.reason === reason);
    const ends = (n: number) => {
      const decision = decide(at(n), settings, now(n));
      return decision.do === "stop" ? decision.reason : decision.do;
    };
    expect([ends(limit - 1), ends(limit)]).toEqual(["run", reason]);
    const share = ({ used, limit: most }: { used: number; limit: number }) => used / most;
    expect(share(shown(limit) ?? { used: 0, limit: 1 })).toBe(1);
    expect(share(shown(limit - 1) ?? { used: 0, limit: 1 })).toBeCloseTo((limit - 1) / limit);
  });

  test.each(Object.entries(breaking) as [CountedReason, Partial<BreakerInput>][])(
    "for the rule %s of the breaker",
    (reason, input) => {
      const settings = settingsOf({ PERMISSION_DENIAL_MODE: "threshold" });
      const once: BreakerInput = {
        progress: "made",
        errors: null,
        denied: false,
        readOnlyTimeout: false,
        declined: false,
        ...input,
      };
      let breaker: CircuitBreaker = closedBreaker();
      const shares: number[] = [];
      for (let number = 1; breaker.state !== "open" && number < 99; number += 1) {
        breaker = stepBreaker(breaker, once, { thresholds: settings, number, now: NOON });
        const { used, limit } = headroomOf(reason, stateOf({ breaker }), settings, NOON);
        shares.push(used / limit);
      }
      expect(breaker).toMatchObject({ state: "open", reason });
      expect(shares.at(-1)).toBe(1);
      expect(shares.slice(0, -1).every((share) => share < 1)).toBe(true);
    },
  );

  test("with every rule except the one that needs a second sign", () => {
    const known = ["project_complete", ...Object.keys(counting), ...Object.keys(breaking)];
    expect(known.toSorted()).toEqual(COUNTED_REASONS.toSorted());
  });
});

describe("the row of a bound", () => {
  test.each(BOUND_REASONS.map((reason) => [reason] as const))("%s is a setting that is none by default", (reason) => {
    const { threshold } = stopRule(reason);
    if (typeof threshold === "number") throw new Error("a bound is for the user to set");
    expect(settingSpec(threshold)).toMatchObject({ group: "bounds", default: null });
  });
});

describe("the next step of a row", () => {
  const flags = SETTING_NAMES.flatMap((name) => settingSpec(name).flag?.name ?? []);
  test.each(Object.keys(STOP_REASONS) as StopReason[])("of %s names existing flags", (reason) => {
    const named = [...STOP_REASONS[reason].next.matchAll(/--([a-z-]+)/g)].map(([, flag]) => flag);
    expect(flags).toEqual(expect.arrayContaining(named));
  });
});
