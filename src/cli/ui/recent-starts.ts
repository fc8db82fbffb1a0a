import { join } from "node:path";
import { JOURNAL_FILE, journalEvents, runsFromNewest } from "../../effects/journal/journal-read.ts";

/** How a run was begun: what the form offers again. */
export type RecentStart = {
  /** ISO time. */
  at: string;
  /** Null without one. */
  mode: string | null;
  /** What was put before its prompts by a flag; null for nothing. */
  preamble: string | null;
};

const RUNS_READ = 5;
const PREAMBLE = "--preamble=";

/** How the newest runs of a project were begun, the newest first: only the first event of each is read. */
export function recentStarts(project: string): RecentStart[] {
  const runs = join(project, ".ralph", "runs");
  return [...runsFromNewest(runs).take(RUNS_READ)].flatMap((run) => start(join(runs, run, JOURNAL_FILE)) ?? []);
}

function start(path: string): RecentStart | null {
  try {
    for (const event of journalEvents(path)) {
      if (event.type !== "run_started" || !["cli", "task"].includes(event.started_by)) return null;
      const words = event.words ?? [];
      const preamble = words.find((word) => word.startsWith(PREAMBLE));
      return {
        at: event.at,
        mode: words.find((word) => !word.startsWith("-")) ?? null,
        preamble: preamble?.slice(PREAMBLE.length) ?? null,
      };
    }
  } catch {
    // A journal that cannot be read offers nothing.
  }
  return null;
}
