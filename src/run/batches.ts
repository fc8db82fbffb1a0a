import type { EventStep } from "../core/journal/event-step.ts";
import { isUrgent } from "../core/state-files/checkpoint.ts";
import type { EventSubscriber } from "./recorder.ts";

/**
 * So many are told at once: a flood leaves a timer no turn, and what waits is held in memory. Of what an agent prints fewer (12 MB less in a
 * flood), as all else is small: an iteration has thirty events of ralph's own, and each time that they are told costs eight renames.
 */
const MOST_STEPS = 500;
const MOST_OUTPUTS = 50;

/**
 * Readers that only show what happened. They hear of it a moment later, many events at once: between two agents they would delay the
 * next one, and in a flood most of their work is the same for many events. The journal has everything first.
 */
export type Batches = {
  /** For the recorder: hears everything, and throws what a reader threw in between, under that reader's name. */
  subscribers: readonly EventSubscriber[];
  /** Tells the readers what they have not heard. */
  tell(): void;
};

/** @param inAMoment calls back in a moment */
export function createBatches(readers: readonly EventSubscriber[], inAMoment: (tell: () => void) => void): Batches {
  const failures = new Map<EventSubscriber, unknown>();
  let untold: EventStep[] = [];
  /** How many of them an agent printed. */
  let outputs = 0;
  let isDue = false;
  /** An agent runs, or did: from its first start on files of its own may lie where ours are to be. */
  let hasAgent = false;

  function tell(): void {
    if (untold.length === 0) return;
    const parts = readers.length > 1 ? iterationParts(untold) : [untold];
    untold = [];
    outputs = 0;
    for (const part of parts) for (const reader of readers) if (!failures.has(reader)) tellOne(reader, part);
  }

  function tellOne(reader: EventSubscriber, steps: readonly EventStep[]): void {
    try {
      reader.onEvents(steps);
    } catch (error) {
      failures.set(reader, error);
    }
  }

  function onEvents(steps: readonly EventStep[]): void {
    for (const step of steps) {
      untold.push(step);
      if (isOutput(step)) outputs += 1;
    }
    const isFirst = !hasAgent && steps.some(({ event }) => event.type === "agent_started");
    hasAgent ||= isFirst;
    const isFull = outputs >= MOST_OUTPUTS || untold.length >= MOST_STEPS;
    if (isFirst || isFull || steps.some(({ event }) => isUrgent(event))) tell();
    else if (!isDue) {
      isDue = true;
      inAMoment(() => {
        isDue = false;
        tell();
      });
    }
  }

  const rethrow = (reader: EventSubscriber): EventSubscriber => ({
    name: reader.name,
    onEvents() {
      if (failures.has(reader)) throw failures.get(reader);
    },
  });
  return { subscribers: [{ name: "the readers", onEvents }, ...readers.map(rethrow)], tell };
}

function isOutput({ event: { type } }: EventStep): boolean {
  return type.startsWith("agent_") && type !== "agent_started" && type !== "agent_finished";
}

/**
 * What one reader says of an iteration's end stands before what another says of the next. A single one hears all at once: state files are
 * then written once for many quick iterations.
 */
function iterationParts(steps: readonly EventStep[]): EventStep[][] {
  const parts: EventStep[][] = [];
  let part: EventStep[] = [];
  for (const step of steps) {
    part.push(step);
    if (step.event.type !== "iteration_finished") continue;
    parts.push(part);
    part = [];
  }
  return part.length === 0 ? parts : [...parts, part];
}
