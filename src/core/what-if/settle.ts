import type { RalphEvent } from "../journal/event.ts";
import { reduce } from "../journal/reduce.ts";
import type { State } from "../journal/state.ts";
import type { LoopStep } from "../look/look-first.ts";
import { STOP_REASONS } from "../stop/stop-reasons.ts";
import { courseOf } from "./course.ts";
import type { Here, Recorded } from "./recorded.ts";
import type { Settled, Shadow } from "./shadow.ts";
import type { Divergence } from "./what-if-types.ts";

/** A point in the recorded run up to which a shadow is the same. */
type Until = { state: State; at: string };

/** It would have done something else here, whose result nobody knows. */
export function diverge(
  shadow: Shadow,
  { recorded, event }: Here,
  why: Pick<Divergence, "rule" | "sentence">,
  until: Until = now(recorded),
): Shadow {
  const divergence = { ...placeOf(event, recorded), ...why };
  return settle(shadow, recorded, { result: "diverges", divergence, end: null }, until);
}

/** It would have ended here. */
export function endsAt(
  shadow: Shadow,
  { recorded, event }: Here,
  { reason, sentence }: Extract<LoopStep, { do: "stop" }>,
  { state, at }: Until = now(recorded),
): Shadow {
  const end = { stop_reason: reason, exit_code: STOP_REASONS[reason].exit, sentence };
  const divergence = { ...placeOf(event, recorded), rule: reason, sentence };
  return settle(shadow, recorded, { result: "ends", divergence, end }, { state: closed(state, event), at });
}

/** It would have gone on where the recorded run ends. */
export function goesOn(
  shadow: Shadow,
  { recorded, event }: Here,
  why: Pick<Divergence, "rule" | "sentence">,
  until: Until,
): Shadow {
  const divergence = { ...placeOf(event, recorded), ...why };
  return settle(shadow, recorded, { result: "goes_on", divergence, end: null }, until);
}

/** Nothing is known from here on: this version decides the recorded run itself in another way. */
export function breakOff(shadow: Shadow, { recorded, event }: Here): Shadow {
  const { version } = recorded.state;
  const sentence = `This version of ralph decides otherwise here than version ${version}, which made the run.`;
  const divergence = { ...placeOf(event, recorded), rule: "version" as const, sentence };
  return settle(shadow, recorded, { result: "unknown", divergence, end: null }, now(recorded));
}

/** Where an event stands in the run. */
export function placeOf(event: RalphEvent, { state }: Recorded): Pick<Divergence, "seq" | "at" | "iteration"> {
  return { seq: event.seq, at: event.at, iteration: event.iteration === 0 ? state.iteration : event.iteration };
}

function settle(shadow: Shadow, { tally }: Recorded, result: Omit<Settled, "course">, { state, at }: Until): Shadow {
  return { ...shadow, settled: { ...result, course: courseOf(state, tally, at) } };
}

function now({ state, last }: Recorded): Until {
  return { state, at: last.at };
}

/** The state with its open iteration counted, as the end of a run does. */
function closed(state: State, { seq, at, run, v, iteration }: RalphEvent): State {
  if (state.open === null) return state;
  const interrupted = { type: "iteration_interrupted", number: state.open.number, why: "" } as const;
  return reduce(state, { v, seq, at, run, iteration, ...interrupted });
}
