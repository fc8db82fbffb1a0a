import { isUrgent } from "../core/state-files/checkpoint.ts";
import type { EventStep, EventSubscriber } from "./recorder.ts";

/** So many are told at once: a flood leaves a timer no turn, and what waits is held in memory (12 MB less in a flood than with 500). */
const MOST_STEPS = 50;

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
  let isDue = false;
  /** An agent runs, or did: from its first start on files of its own may lie where ours are to be. */
  let hasAgent = false;

  function tell(): void {
    const parts = iterationParts(untold);
    untold = [];
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
    for (const step of steps) untold.push(step);
    const isFirst = !hasAgent && steps.some(({ event }) => event.type === "agent_started");
    hasAgent ||= isFirst;
    if (isFirst || untold.length >= MOST_STEPS || steps.some(({ event }) => isUrgent(event))) tell();
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

/** What one reader says of an iteration's end stands before what another says of the next. */
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
