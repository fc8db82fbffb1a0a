import type { EventBody, RalphEvent } from "../core/event.ts";
import { reduce, type State } from "../core/state.ts";

/** An event with the states before and after it. */
export type Step = { event: RalphEvent; state: State; previous: State };

/** Reads what was recorded, after it was written, in order; the steps of one write at once. */
export type Reader = { name: string; onEvents(steps: readonly Step[]): void };

/** The one way to change the state: an event is numbered, written, folded, and told to the readers, in this order. */
export type Recorder = {
  state(): State;
  append(body: EventBody): RalphEvent;
  /** Many events of one chunk of output: one write. */
  appendAll(bodies: readonly EventBody[]): void;
};

export type RecorderParts = {
  run: string;
  state: State;
  now(): number;
  write(events: readonly RalphEvent[]): void;
  sync(): void;
  readers: readonly Reader[];
};

/** Makes the recorder of a run. A reader that throws is left out from then on and reported once; it never stops the loop. */
export function createRecorder(parts: RecorderParts): Recorder {
  let state = parts.state;
  const detached = new Set<Reader>();

  function appendAll(bodies: readonly EventBody[]): RalphEvent[] {
    const at = new Date(parts.now()).toISOString();
    const steps: Step[] = [];
    let folded = state;
    for (const body of bodies) {
      const event = envelope(folded, body, at);
      const previous = folded;
      folded = reduce(folded, event);
      steps.push({ event, state: folded, previous });
    }
    const events = steps.map((step) => step.event);
    parts.write(events);
    state = folded;
    if (events.some(isDurable)) parts.sync();
    tell(steps);
    return events;
  }

  function envelope(state: State, body: EventBody, at: string): RalphEvent {
    const iteration =
      body.type === "iteration_started" ? body.number : (state.open?.number ?? state.review.open?.number ?? 0);
    return { v: 1, seq: state.seq + 1, at, run: parts.run, iteration, ...body };
  }

  function tell(steps: readonly Step[]): void {
    for (const reader of parts.readers) {
      if (detached.has(reader)) continue;
      try {
        reader.onEvents(steps);
      } catch (error) {
        detached.add(reader);
        append({
          type: "note",
          level: "warn",
          text: `${reader.name} failed and is switched off for this run: ${(error as Error).message}`,
        });
      }
    }
  }

  function append(body: EventBody): RalphEvent {
    const [event] = appendAll([body]);
    if (event === undefined) throw new Error("one event in, one event out");
    return event;
  }

  return { state: () => state, append, appendAll: (bodies) => void (bodies.length > 0 && appendAll(bodies)) };
}

/**
 * What a power cut must not take, with all before it: a finished iteration and a reserved call. The first is followed
 * within milliseconds by an agent's start, a wait or the run's end; and beside a working agent, flushing delays nobody.
 */
const DURABLE: Partial<Record<RalphEvent["type"], true>> = {
  agent_started: true,
  wait_started: true,
  run_finished: true,
};

function isDurable(event: RalphEvent): boolean {
  return DURABLE[event.type] === true;
}
