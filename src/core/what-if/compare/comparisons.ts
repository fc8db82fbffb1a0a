import type { EventOf, RalphEvent } from "../../journal/event.ts";
import { reduce } from "../../journal/reduce.ts";
import type { LoopStep } from "../../look/look-first.ts";
import { reached } from "../reached.ts";
import { type Here, isClosing, isDrop, type Recorded } from "../recorded.ts";
import { type Comparison, under } from "../shadow.ts";
import { timed, told } from "./call.ts";
import { decided, ended, reviewed } from "./decision.ts";
import { gateStarted, gatesReached } from "./gates.ts";
import { finished } from "./iteration.ts";
import { woken } from "./wait.ts";

/** All that depends on settings up to an event that shows how it came out, in order. */
export function comparisonsAt(recorded: Recorded, event: RalphEvent): Comparison[] {
  const here = { recorded, event };
  return [woken(here), ...shownBy(recorded, event), closingWith(here), ...breakerWith(here)];
}

function shownBy(recorded: Recorded, event: RalphEvent): Comparison[] {
  const here = { recorded, event };
  switch (event.type) {
    case "gate_frozen":
      return gatesReached(here);
    case "gate_started":
      return gateStarted({ recorded, event });
    case "wait_started":
      return decided(here, (step) => step.do === "wait" && step.why === event.why);
    case "look_started":
      return [reached(here, "looks", "look"), ...decided(here, (step) => step.do === "look")];
    case "review_started":
      return reviewed({ recorded, event });
    case "reset":
      return isDrop(event) ? decided(here, (step) => step.do === "run" && step.drops === event.reason) : [];
    case "iteration_started":
      return iterationStarted({ recorded, event });
    case "question_asked":
      return event.kind === "denied" ? [] : [reached(here, "questions", "question")];
    case "agent_finished":
      return [timed({ recorded, event })];
    case "iteration_finished":
      return finished({ recorded, event });
    case "run_finished":
      return ended({ recorded, event });
    default:
      return [];
  }
}

function iterationStarted(here: Here<EventOf<"iteration_started">>): Comparison[] {
  const { recorded, event } = here;
  const isRecorded = (step: LoopStep) => step.do === "run" && step.number === event.number && step.call === event.call;
  const decision = recorded.isDropped ? [] : decided(here, isRecorded);
  return [...decision, reached(here, "agent", "agent"), told(here)];
}

/** Keeps the state at the decision to end the run, as the record does. */
function closingWith({ recorded, event }: Here): Comparison {
  if (isClosing(event)) {
    const isFirst = recorded.closing === null;
    return (shadow) => (isFirst ? { ...shadow, beforeEnd: under(shadow, recorded) } : shadow);
  }
  const isKept = event.type === "note";
  return (shadow) => (isKept || shadow.beforeEnd === null ? shadow : { ...shadow, beforeEnd: null });
}

/** What happened to the circuit breaker apart from iterations. */
function breakerWith({ recorded, event }: Here): Comparison[] {
  if (event.type !== "reset" && event.type !== "gap_named" && event.type !== "question_asked") return [];
  return [(shadow) => ({ ...shadow, breaker: reduce({ ...recorded.state, breaker: shadow.breaker }, event).breaker })];
}
