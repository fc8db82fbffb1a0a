import type { State } from "../journal/state.ts";
import type { Settings } from "../settings/settings.ts";
import type { CircuitBreaker } from "../stop/circuit-breaker.ts";
import { type ChangedSetting, type SettingChanges, withChanges } from "./changed-settings.ts";
import type { Recorded } from "./recorded.ts";
import type { WhatIf } from "./what-if-types.ts";

/** A run under other settings, as long as it is the recorded one; `settled` from then on. */
export type Shadow = {
  settings: Settings;
  changed: readonly ChangedSetting[];
  breaker: CircuitBreaker;
  /** Epoch ms at which its wait ends, where the recorded one ends at another time: a bound in time cut one of them. */
  wakes: number | null;
  /** Its state at the decision that `closing` of the record holds. */
  beforeEnd: State | null;
  settled: Settled | null;
};

/** What is known of a run under other settings, without what the record alone tells. */
export type Settled = Omit<WhatIf, "changed" | "rest">;

/** Holds a shadow that is still the recorded run against something in it: what it is afterwards, or settled. */
export type Comparison = (shadow: Shadow) => Shadow;

/** The recorded run under changed settings, before they make a difference. */
export function shadowOf({ settings, state }: Recorded, changes: SettingChanges): Shadow {
  return {
    ...withChanges(settings, changes),
    breaker: state.breaker,
    wakes: null,
    beforeEnd: null,
    settled: null,
  };
}

/** A shadow after comparisons, up to the one that settles it. */
export function compared(shadow: Shadow, comparisons: readonly Comparison[]): Shadow {
  let now = shadow;
  for (const compare of comparisons) {
    if (now.settled !== null) return now;
    now = compare(now);
  }
  return now;
}

/** The recorded state with what other settings make of it. */
export function under(shadow: Shadow, recorded: Recorded): State {
  const { settings: other, breaker } = shadow;
  const { state } = recorded;
  // Without looks an earlier run's work that nobody looked at is not in the record.
  const looks = wantsNewLooks(shadow, recorded) ? { ...state.looks, changed: true } : state.looks;
  return { ...state, settings: other, breaker, looks };
}

/** Whether finished work is looked at under its settings alone. */
export function wantsNewLooks({ settings: other }: Shadow, { settings: own }: Recorded): boolean {
  return own.REVIEW_ON_DONE === 0 && other.REVIEW_ON_DONE > 0;
}
