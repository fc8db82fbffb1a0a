import { isUrgent } from "../core/state-files/checkpoint.ts";
import type { EventStep, EventSubscriber } from "./recorder.ts";

/** So many are told at once: a flood leaves a timer no turn, and what waits is held in memory. */
const MOST_STEPS = 500;

/**
 * Readers that only show what happened. They hear of it a moment later, many events at once: between two agents they would delay the
 * next one, and in a flood most of their work is the same for many events. The journal has everything first.
 */
export type Batches = {
  /** The reader, told in batches; what it throws in between is thrown at its next event. */
  of(reader: EventSubscriber): EventSubscriber;
  /** Tells all of them what they have not heard. */
  tell(): void;
};

/** @param inAMoment calls back in a moment */
export function createBatches(inAMoment: (tell: () => void) => void): Batches {
  const flushes: (() => void)[] = [];
  let isDue = false;

  function tell(): void {
    isDue = false;
    for (const flush of flushes) flush();
  }

  function of({ name, onEvents }: EventSubscriber): EventSubscriber {
    let untold: EventStep[] = [];
    /** An agent runs, or did: from its first start on files of its own may lie where ours are to be. */
    let hasAgent = false;
    let failure: { error: unknown } | null = null;
    const flush = () => {
      const steps = untold;
      untold = [];
      if (steps.length > 0) onEvents(steps);
    };
    flushes.push(() => {
      try {
        flush();
      } catch (error) {
        failure ??= { error };
      }
    });
    return {
      name,
      onEvents(steps) {
        if (failure !== null) throw failure.error;
        for (const step of steps) untold.push(step);
        const isFirst = !hasAgent && steps.some(({ event }) => event.type === "agent_started");
        hasAgent ||= isFirst;
        if (isFirst || untold.length >= MOST_STEPS || steps.some(({ event }) => isUrgent(event))) flush();
        else if (!isDue) {
          isDue = true;
          inAMoment(tell);
        }
      },
    };
  }

  return { of, tell };
}
