import type { Envelope, EventBody, RalphEvent } from "../core/journal/event.ts";
import { reduce } from "../core/journal/reduce.ts";
import type { State } from "../core/journal/state.ts";

/** An event with the states before and after it. */
export type EventStep = { event: RalphEvent; state: State; previous: State };

/** Reads what was recorded, after it was written, in order; the steps of one write at once. */
export type EventSubscriber = { name: string; onEvents(steps: readonly EventStep[]): void };

/** The one way to change the state: an event is numbered, written, folded, and told to the readers, in this order. */
export type Recorder = {
  state(): State;
  append<B extends EventBody>(body: B): Envelope & B;
  /** Many events of one chunk of output: one write. */
  appendAll(bodies: readonly EventBody[]): void;
};

export type RecorderParts = {
  run: string;
  state: State;
  now(): number;
  write(events: readonly RalphEvent[]): void;
  sync(): void;
  readers: readonly EventSubscriber[];
};

/** Makes the recorder of a run. A reader that throws is left out from then on and reported once; it never stops the loop. */
export function createRecorder(parts: RecorderParts): Recorder {
  let state = parts.state;
  const detached = new Set<EventSubscriber>();
  const untold: (readonly EventStep[])[] = [];
  let telling = false;

  function numbered<B extends EventBody>(previous: State, body: B, at: string): Envelope & B {
    const iteration =
      body.type === "iteration_started" ? body.number : (previous.open?.number ?? previous.call?.iteration ?? 0);
    return { v: 1, seq: previous.seq + 1, at, run: parts.run, iteration, ...body };
  }

  function commit(steps: readonly EventStep[]): void {
    const events = steps.map((step) => step.event);
    parts.write(events);
    state = steps.at(-1)?.state ?? state;
    if (events.some(isDurable)) parts.sync();
    tell(steps);
  }

  /** A reader that records something itself must not be heard before what it heard: others would get that out of order. */
  function tell(steps: readonly EventStep[]): void {
    untold.push(steps);
    if (telling) return;
    telling = true;
    const failures: EventBody[] = [];
    for (let next = untold.shift(); next !== undefined; next = untold.shift()) failures.push(...failuresAt(next));
    telling = false;
    appendAll(failures);
  }

  /** Lets all readers hear of it; what is to be said of those that could not. */
  function failuresAt(steps: readonly EventStep[]): EventBody[] {
    return parts.readers.flatMap((reader): EventBody[] => {
      if (detached.has(reader)) return [];
      try {
        reader.onEvents(steps);
        return [];
      } catch (error) {
        detached.add(reader);
        const why = error instanceof Error ? error.message : String(error);
        return [
          { type: "note", level: "warn", text: `${reader.name} failed and is switched off for this run: ${why}` },
        ];
      }
    });
  }

  const now = () => new Date(parts.now()).toISOString();

  function append<B extends EventBody>(body: B): Envelope & B {
    const event = numbered(state, body, now());
    commit([stepOf(state, event)]);
    return event;
  }

  function appendAll(bodies: readonly EventBody[]): void {
    if (bodies.length === 0) return;
    const at = now();
    const steps: EventStep[] = [];
    for (const body of bodies) {
      const previous = steps.at(-1)?.state ?? state;
      steps.push(stepOf(previous, numbered(previous, body, at)));
    }
    commit(steps);
  }

  return { state: () => state, append, appendAll };
}

function stepOf(previous: State, event: RalphEvent): EventStep {
  return { event, state: reduce(previous, event), previous };
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
