import type { EventOf } from "../../journal/event.ts";
import { workWords } from "../../prompt/work-words.ts";
import type { Here } from "../recorded.ts";
import { diverge } from "../settle.ts";
import { type Comparison, under } from "../shadow.ts";
import { limitedCall } from "./call-clocks.ts";
import { planKnown } from "./plan-known.ts";

/** What the agent is told beside the prompt: the circuit breaker stands in it, and what keeps "done" from counting. */
export function told(here: Here<EventOf<"iteration_started">>): Comparison {
  const { recorded, event } = here;
  const about = { number: event.number, plan: planKnown(event), resumed: event.resume !== null };
  const words = JSON.stringify(workWords(recorded.state, recorded.settings, about));
  return (shadow) => {
    if (JSON.stringify(workWords(under(shadow, recorded), shadow.settings, about)) === words) return shadow;
    const sentence = `The agent would have been told something else in iteration ${event.number}.`;
    return diverge(shadow, here, { rule: "prompt", sentence });
  };
}

/** The end of a call: under other settings it may have come at another time, and what it led to is not known then. */
export function timed(here: Here<EventOf<"agent_finished">>): Comparison {
  const { recorded, event } = here;
  const start = recorded.beforeCall ?? { state: recorded.state, at: event.at };
  const call = { end: event, state: start.state, at: Date.parse(start.at) };
  return (shadow) => {
    const sentence = limitedCall(call, recorded.settings, shadow.settings);
    return sentence === null ? shadow : diverge(shadow, here, { rule: "call_time", sentence }, start);
  };
}
