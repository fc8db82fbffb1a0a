import type { Envelope, EventBody, RalphEvent } from "../core/journal/event.ts";
import { type EventStep, stepOf } from "../core/journal/event-step.ts";
import type { State } from "../core/journal/state.ts";
import { warning } from "../core/journal/warning.ts";
import type { Mask } from "../core/secrets/mask.ts";
import { maskEvent } from "../core/secrets/mask-event.ts";
import { messageOf } from "../core/system-error.ts";

/** Receives events once they are written, in order; `steps` are the events of one write. */
export type EventSubscriber = { name: string; onEvents(steps: readonly EventStep[]): void };

/**
 * The only way to change the state: take the secrets out of an event, number it, write it, fold it and publish it to the
 * subscribers, in this order. So no record, view or notification has a secret, and the state is that of the journal.
 */
export type Recorder = {
  state(): State;
  append<B extends EventBody>(body: B): Envelope & B;
  /** Appends many events in one write, such as those of one chunk of output. */
  appendAll(bodies: readonly EventBody[]): void;
  /** Sends all events from now on to a subscriber. */
  subscribe(subscriber: EventSubscriber): void;
};

export type RecorderParts = {
  run: string;
  state: State;
  now(): number;
  write(events: readonly RalphEvent[]): void;
  sync(): void;
  subscribers: readonly EventSubscriber[];
  /** Takes secrets out of texts; absent where none can be in them. */
  mask?: Mask;
};

/** Makes the recorder of a run. A subscriber that throws is reported once and then left out; the run goes on. */
export function createRecorder(parts: RecorderParts): Recorder {
  let state = parts.state;
  const subscribers = new Set(parts.subscribers);
  const queue: (readonly EventStep[])[] = [];
  let publishing = false;

  function numbered<B extends EventBody>(previous: State, told: B, at: string): Envelope & B {
    const body = parts.mask === undefined ? told : maskEvent(told, parts.mask);
    const iteration = body.type === "iteration_started" ? body.number : (previous.call?.iteration ?? 0);
    return { v: 1, seq: previous.seq + 1, at, run: parts.run, iteration, ...body };
  }

  function commit(steps: readonly EventStep[], after: State): void {
    const events = steps.map((step) => step.event);
    parts.write(events);
    state = after;
    if (events.some(isDurable)) parts.sync();
    publish(steps);
  }

  /**
   * Queues events that a subscriber records during its call. All subscribers then receive all events in the same order.
   */
  function publish(steps: readonly EventStep[]): void {
    queue.push(steps);
    if (publishing) return;
    publishing = true;
    const failures: EventBody[] = [];
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) failures.push(...deliver(next));
    publishing = false;
    appendAll(failures);
  }

  /** Calls all subscribers. Returns a note for each one that failed. */
  function deliver(steps: readonly EventStep[]): EventBody[] {
    return [...subscribers].flatMap((subscriber): EventBody[] => {
      try {
        subscriber.onEvents(steps);
        return [];
      } catch (error) {
        subscribers.delete(subscriber);
        return [warning(`${subscriber.name} failed and is switched off for this run: ${messageOf(error)}`)];
      }
    });
  }

  const now = () => new Date(parts.now()).toISOString();

  function append<B extends EventBody>(body: B): Envelope & B {
    const event = numbered(state, body, now());
    const step = stepOf(state, event);
    commit([step], step.state);
    return event;
  }

  function appendAll(bodies: readonly EventBody[]): void {
    if (bodies.length === 0) return;
    const at = now();
    let after = state;
    const steps = bodies.map((body) => {
      const step = stepOf(after, numbered(after, body, at));
      after = step.state;
      return step;
    });
    commit(steps, after);
  }

  return { state: () => state, append, appendAll, subscribe: (subscriber) => void subscribers.add(subscriber) };
}

/**
 * Events that are flushed to disk, with everything before them. A power cut must not lose a finished iteration or a
 * reserved call, and one of these follows each within milliseconds. While an agent works, flushing delays nothing.
 */
const DURABLE: Partial<Record<RalphEvent["type"], true>> = {
  agent_started: true,
  wait_started: true,
  run_finished: true,
};

function isDurable(event: RalphEvent): boolean {
  return DURABLE[event.type] === true;
}
