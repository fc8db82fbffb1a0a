import { gatesAfter } from "../../decide/gates-due.ts";
import type { EventOf } from "../../journal/event.ts";
import type { Settings } from "../../settings/settings.ts";
import { breakerInput, type CircuitBreaker, stepBreaker } from "../../stop/circuit-breaker.ts";
import type { Here } from "../recorded.ts";
import { breakOff, diverge } from "../settle.ts";
import { type Comparison, under } from "../shadow.ts";

/** The end of an iteration: whether its gates ran, and what the circuit breaker makes of it. */
export function finished(here: Here<EventOf<"iteration_finished">>): Comparison[] {
  const { recorded, event } = here;
  const { state, settings } = recorded;
  const gates = gatesAfter(state, event, settings);
  const step = breakerStep(here, gates.due && state.stop_requested?.how !== "now");
  if (comparable(step(state.breaker, settings)) !== comparable(event.breaker))
    return [(shadow) => breakOff(shadow, here)];
  const compare: Comparison = (shadow) => {
    const other = gatesAfter(under(shadow, recorded), event, shadow.settings);
    if (other.due === gates.due && (!gates.due || other.decide === gates.decide))
      return { ...shadow, breaker: step(shadow.breaker, shadow.settings) };
    const sentence =
      other.due && gates.due
        ? `The gates of iteration ${event.iteration} would have been judged in another way.`
        : `The gates would ${other.due ? "" : "not "}have run after iteration ${event.iteration}.`;
    return diverge(shadow, { recorded, event: recorded.firstGate ?? event }, { rule: "gates", sentence });
  };
  return [compare];
}

/** The circuit breaker's step over an iteration, under any thresholds. */
function breakerStep({ recorded, event }: Here<EventOf<"iteration_finished">>, wereJudged: boolean) {
  const { state } = recorded;
  const facts = {
    outcome: event.outcome,
    call: state.last_call?.outcome ?? "ok",
    error: state.last_call?.error ?? null,
    analysis: event.analysis,
    evidence: event.evidence,
    trend: state.trend,
    gates: wereJudged ? state.gates : [],
    trees: state.trees,
  };
  return (breaker: CircuitBreaker, thresholds: Settings): CircuitBreaker =>
    stepBreaker(breaker, breakerInput({ ...facts, settings: thresholds }), {
      thresholds,
      number: event.iteration,
      now: Date.parse(event.at),
    });
}

/** A breaker without the time at which it opened, which lies a moment before that of its event, and without its words, which decide nothing. */
function comparable(breaker: CircuitBreaker): string {
  const { since, sentence, ...rest } = { since: 0, sentence: "", ...breaker };
  return JSON.stringify(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)));
}
