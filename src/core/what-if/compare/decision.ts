import { gatesFirst } from "../../decide/gates-due.ts";
import { reviewDue } from "../../decide/review-state.ts";
import type { EventOf } from "../../journal/event.ts";
import type { State } from "../../journal/state.ts";
import type { LoopStep } from "../../look/look-first.ts";
import { BROKEN_OFF, type StopReason } from "../../stop/stop-reasons.ts";
import { reached, reaches } from "../reached.ts";
import type { Here } from "../recorded.ts";
import { breakOff, diverge } from "../settle.ts";
import { type Comparison, type Shadow, under, wantsNewLooks } from "../shadow.ts";
import { compareStep } from "./compare-step.ts";
import { stepAt } from "./loop-step.ts";

/** A decision of the recorded run: what it and a shadow's were made from, and when it may have been made, in epoch ms. */
type Point = { own: State; otherOf: (shadow: Shadow) => State; from: number; to: number };

/** Ends that the loop does not decide: any settings lead there. */
const OUTSIDE: ReadonlySet<StopReason> = new Set(["files_deleted", ...BROKEN_OFF]);

/** The decision that an event shows. */
export function decided(here: Here, isRecorded: (step: LoopStep) => boolean): Comparison[] {
  const { recorded, event } = here;
  const otherOf = (shadow: Shadow) => under(shadow, recorded);
  const point = { own: recorded.state, otherOf, from: Date.parse(recorded.last.at), to: Date.parse(event.at) };
  return decidedAt(here, point, isRecorded);
}

/** The decision to end the run, which may lie some events before its end. */
export function ended({ recorded, event }: Here<EventOf<"run_finished">>): Comparison[] {
  if (OUTSIDE.has(event.stop_reason)) return [];
  const isRecorded = (step: LoopStep) => step.do === "stop" && step.reason === event.stop_reason;
  const { closing } = recorded;
  if (closing === null) return decided({ recorded, event }, isRecorded);
  const otherOf = (shadow: Shadow) => shadow.beforeEnd ?? under(shadow, recorded);
  const point = { own: closing.state, otherOf, from: closing.from, to: Date.parse(event.at) };
  return decidedAt({ recorded, event: closing.event }, point, isRecorded);
}

/** A review, which comes before an iteration. */
export function reviewed(here: Here<EventOf<"review_started">>): Comparison[] {
  return [
    ...decided(here, (step) => step.do === "run"),
    (shadow) =>
      reviewDue(under(shadow, here.recorded), shadow.settings)
        ? shadow
        : diverge(shadow, here, { rule: "review", sentence: "No review would have come here." }),
  ];
}

/** Compares the step that was taken with those under other settings. */
function decidedAt(here: Here, point: Point, isRecorded: (step: LoopStep) => boolean): Comparison[] {
  const { recorded } = here;
  const own = recorded.settings;
  const found = recordedStep(here, point, isRecorded);
  const checks = reached(here, "checks", "checks");
  if (found === null) return [checks, (shadow) => breakOff(shadow, here)];
  const compare: Comparison = (shadow) => {
    if (reaches(shadow, "day") && own.MAX_COST_PER_DAY === null && shadow.settings.MAX_COST_PER_DAY !== null) {
      const sentence = "What all runs of that day cost is not in the record.";
      return diverge(shadow, here, { rule: "spending_of_the_day", sentence });
    }
    const other = point.otherOf(shadow);
    if (gatesFirst(other, shadow.settings) && !gatesFirst(point.own, own))
      return diverge(shadow, here, { rule: "gates", sentence: "The gates would have run here." });
    const step = stepAt(other, shadow.settings, found.at, found.looks || wantsNewLooks(shadow, recorded));
    const next = compareStep(shadow, here, point.own, found.step, step);
    if (next.settled !== null || step.do !== "run") return next;
    if (reviewDue(other, shadow.settings) && !reviewDue(point.own, own))
      return diverge(next, here, { rule: "review", sentence: "A review would have come here." });
    return next;
  };
  return [checks, compare];
}

/**
 * The recorded step, decided again. It was made between two events, nearly always right after the first; a bound in time may
 * have been reached in between. Without anybody who could look, none of the looks that are due come.
 */
function recordedStep({ recorded }: Here, { own, from, to }: Point, isRecorded: (step: LoopStep) => boolean) {
  for (const looks of [true, false])
    for (const at of [from, to]) {
      const step = stepAt(own, recorded.settings, at, looks);
      if (isRecorded(step)) return { step, at, looks };
    }
  return null;
}
