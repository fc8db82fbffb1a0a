import type { DecideSettings, Decision } from "../decide/decide.ts";
import { callWait } from "../decide/decide.ts";
import type { State } from "../journal/state.ts";
import { reachedBound } from "../stop/bounds.ts";
import { type BoundSettings, STOP_REASONS } from "../stop/stop-reasons.ts";
import { count } from "../text/count.ts";

/** After so many that came to nothing, "done" is believed without one. */
const MOST_FAILED = 2;
/**
 * Most looks of a run. A stranger who finds something each time may ask for more than was asked; all that he named is mended
 * by then, so the run ends as done and says so.
 */
const MOST_LOOKS = 5;

/** The loop's next step, with a look. */
export type LoopStep = Decision | { do: "look"; number: number; call: number };

export type LookSettings = DecideSettings & { REVIEW_ON_DONE: number };

/**
 * The decision, or in place of "done" a look that is due before it, or the wait that comes before its call. Iterations do not
 * bound a look, which is none: after the last one it tells at least what is missing.
 * @param now epoch ms
 */
export function lookFirst(decision: Decision, state: State, settings: LookSettings, now: number): LoopStep {
  if (decision.do !== "stop" || STOP_REASONS[decision.reason].status !== "completed") return decision;
  if (!isWanted(state, settings) || isSpent(state, settings, now) || refusesWait(state, settings)) return decision;
  return callWait(state, settings, now) ?? { do: "look", number: state.iteration, call: state.looks.call + 1 };
}

/** Whether as many looks as are wanted found no gap in the work as it is. */
export function wasLookedAt({ looks }: Pick<State, "looks">, { REVIEW_ON_DONE }: LookEndSettings): boolean {
  return REVIEW_ON_DONE > 0 && looks.clean >= REVIEW_ON_DONE;
}

type LookEndSettings = Pick<LookSettings, "REVIEW_ON_DONE">;

/** What is said of the looks at the end of a run that is done, after a blank; "" if there is nothing to say. */
export function describeLooks(state: State, settings: LookSettings, now: number): string {
  const { looks } = state;
  if (settings.REVIEW_ON_DONE === 0 || !looks.changed) return "";
  if (wasLookedAt(state, settings)) {
    const named =
      looks.gaps.length === 0
        ? ""
        : ` ${count(looks.gaps.length, "gap that was", "gaps that were")} named before: mended.`;
    return ` ${looks.sentence}${named}`;
  }
  const why = whyUnconfirmed(state, settings, now);
  return why === null ? "" : ` Not confirmed by a look: ${why}`;
}

function whyUnconfirmed(state: State, settings: LookSettings, now: number): string | null {
  const { failed, made, sentence } = state.looks;
  if (failed >= MOST_FAILED || refusesWait(state, settings)) return sentence;
  if (made >= MOST_LOOKS) return `all ${MOST_LOOKS} looks of the run are used up, and what they named is mended.`;
  return isSpent(state, settings, now) ? "a bound of the run allows no further call." : null;
}

function isWanted({ looks }: State, settings: LookEndSettings): boolean {
  if (settings.REVIEW_ON_DONE === 0 || !looks.changed || wasLookedAt({ looks }, settings)) return false;
  return looks.failed < MOST_FAILED && looks.made < MOST_LOOKS;
}

/** Whether a look met a limit whose end the user does not want to wait for. */
function refusesWait({ limit }: State, { ON_USAGE_LIMIT }: LookSettings): boolean {
  return ON_USAGE_LIMIT !== "wait" && limit !== null && limit.until !== null;
}

/** Whether a bound forbids a call. */
function isSpent(state: State, settings: BoundSettings, now: number): boolean {
  return reachedBound(state, { ...settings, MAX_ITERATIONS: null }, now) !== null;
}
