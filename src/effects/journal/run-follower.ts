import { statSync } from "node:fs";
import { join } from "node:path";
import type { RalphEvent } from "../../core/journal/event.ts";
import { JOURNAL_FILE, listRuns, readJournal } from "./journal-read.ts";
import { type EventAtOffset, readEventsFrom, readOverview } from "./journal-tail.ts";

/** What came since the last look; `anew`: of a run that was not followed before, or of a journal that was replaced. */
export type RunUpdate = { run: string; isRestart: boolean; events: EventAtOffset[] };

export type RunFollower = {
  /**
   * What is new; null for nothing.
   * @param mayChange look for a newer run as well, which takes a look at the folder
   */
  look(mayChange: boolean): RunUpdate | null;
  /** The events of one iteration, which begins at a byte of the journal. */
  iteration(at: number): RalphEvent[];
};

/**
 * Follows the journals of a project: one run, or always the newest.
 * @param wanted the run to follow; null for the newest and, when another begins, that one
 */
export function createRunFollower(runsDir: string, wanted: string | null): RunFollower {
  let run = wanted;
  let end = 0;
  let started = false;
  const path = () => join(runsDir, run ?? "", JOURNAL_FILE);

  return {
    look(mayChange) {
      const newest = wanted ?? (mayChange || run === null ? listRuns(runsDir).at(-1) : run) ?? null;
      if (newest === null) return null;
      if (newest !== run) started = false;
      run = newest;
      const size = statSync(path(), { throwIfNoEntry: false })?.size ?? 0;
      if (size === end && started) return null;
      const anew = !started || size < end;
      const found = anew ? readOverview(path()) : readEventsFrom(path(), end);
      if (found.events.length === 0 && !anew) return null;
      started = true;
      end = found.end;
      return { run, isRestart: anew, events: found.events };
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
