import { statSync } from "node:fs";
import { join } from "node:path";
import type { RalphEvent } from "../../core/journal/event.ts";
import { JOURNAL_FILE, newestRun, readJournal } from "./journal-read.ts";
import { type EventAtOffset, readEventsFrom, readOverview } from "./journal-tail.ts";

/** What is new since the last look. `isRestart`: the events are of another run, or of a journal that was replaced. */
export type RunUpdate = { run: string; isRestart: boolean; events: EventAtOffset[] };

export type RunFollower = {
  /**
   * The new events; null if there are none.
   * @param mayChange also look for a newer run, which reads the folder
   */
  look(mayChange: boolean): RunUpdate | null;
  /** The events of the iteration that starts at a byte offset of the journal. */
  iteration(at: number): RalphEvent[];
};

/**
 * Follows the journals of a project: one run, or always the newest.
 * @param wanted the run to follow; null follows the newest, also when another one starts
 */
export function createRunFollower(runsDir: string, wanted: string | null): RunFollower {
  let run = wanted;
  let end = 0;
  /** The size at the last look: beyond `end`, if a line is not whole yet, which is not read again until it grew. */
  let seen = 0;
  let started = false;
  const path = () => join(runsDir, run ?? "", JOURNAL_FILE);
  const sizeNow = () => statSync(path(), { throwIfNoEntry: false })?.size ?? 0;

  /** What a run said after the last look, if another one is the newest by now: how it ended, above all. */
  function restOfRun(): RunUpdate | null {
    if (!started || run === null) return null;
    try {
      if (sizeNow() <= end) return null;
      const found = readEventsFrom(path(), end);
      end = found.end;
      return found.events.length === 0 ? null : { run, isRestart: false, events: found.events };
    } catch {
      return null; // the newest run is not hidden by one that cannot be read
    }
  }

  return {
    look(mayChange) {
      const newest = wanted ?? (mayChange || run === null ? newestRun(runsDir) : run);
      if (newest === null) return null;
      if (newest !== run) {
        const last = restOfRun();
        if (last !== null) return last;
        started = false;
      }
      run = newest;
      const size = sizeNow();
      if (size === seen && started) return null;
      seen = size;
      const isRestart = !started || size < end;
      const found = isRestart ? readOverview(path()) : readEventsFrom(path(), end);
      if (found.events.length === 0 && !isRestart) return null;
      started = true;
      end = found.end;
      return { run, isRestart, events: found.events };
    },
    iteration(at) {
      const events: RalphEvent[] = [];
      let number: number | null = null;
      for (const line of readJournal(path(), at)) {
        if (!("event" in line)) continue;
        const { event } = line;
        if (event.type === "iteration_started") number ??= event.number;
        if (event.type === "iteration_started" && event.number !== number) break;
        events.push(event);
        if (event.type === "iteration_finished" || event.type === "iteration_interrupted") break;
      }
      return events;
    },
  };
}
