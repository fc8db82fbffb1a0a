import { gatesFirst } from "../../decide/gates-due.ts";
import type { EventOf } from "../../journal/event.ts";
import { reached } from "../reached.ts";
import { type Here, isBetween } from "../recorded.ts";
import { diverge, endsAt } from "../settle.ts";
import { type Comparison, under } from "../shadow.ts";
import { stepAt } from "./loop-step.ts";

/** What the run measures, and how, once a gate shows it. */
export function gatesReached(here: Here): Comparison[] {
  return [reached(here, "checks", "checks"), reached(here, "gates", "gates")];
}

/** A gate's start; the first of those that run before an iteration shows a decision. */
export function gateStarted(here: Here<EventOf<"gate_started">>): Comparison[] {
  const { state, runsGatesFirst } = here.recorded;
  const isFirst = isBetween(state) && !runsGatesFirst;
  return isFirst ? [...gatesReached(here), gatesCameFirst(here)] : gatesReached(here);
}

function gatesCameFirst(here: Here): Comparison {
  const { recorded } = here;
  const { state, settings, last } = recorded;
  return (shadow) => {
    const other = under(shadow, recorded);
    if (gatesFirst(other, shadow.settings) === gatesFirst(state, settings)) return shadow;
    const step = stepAt(other, shadow.settings, Date.parse(last.at), true);
    if (step.do === "stop") return endsAt(shadow, here, step);
    return diverge(shadow, here, { rule: "gates", sentence: "The gates would not have run here." });
  };
}
