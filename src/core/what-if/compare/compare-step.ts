import type { State } from "../../journal/state.ts";
import type { LoopStep } from "../../look/look-first.ts";
import type { Here } from "../recorded.ts";
import { diverge, endsAt, goesOn } from "../settle.ts";
import type { Shadow } from "../shadow.ts";
import { stepDifference } from "./loop-step.ts";

/**
 * Holds a shadow's step against the recorded run's.
 * @param state that the recorded step was decided from
 */
export function compareStep(shadow: Shadow, here: Here, state: State, own: LoopStep, other: LoopStep): Shadow {
  const until = { state, at: here.recorded.last.at };
  if (other.do === "stop") {
    const isSame = own.do === "stop" && own.reason === other.reason;
    return isSame ? shadow : endsAt(shadow, here, other, until);
  }
  const waits = own.do === "wait" && other.do === "wait" && other.until !== own.until;
  const next = waits ? { ...shadow, wakes: other.until } : shadow;
  const difference = stepDifference(own, other);
  if (difference === null) return next;
  if (own.do === "stop" && other.do !== "look")
    return goesOn(next, here, { rule: own.reason, sentence: difference.sentence }, until);
  return diverge(next, here, difference, until);
}
