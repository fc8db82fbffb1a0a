import { closeSync, fstatSync, openSync, readdirSync, readSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import type { EventOf, RalphEvent } from "../../core/journal/event.ts";
import { reduce } from "../../core/journal/reduce.ts";
import { initialState } from "../../core/journal/state.ts";
import { totalTokens } from "../../core/journal/usage.ts";
import { finishedReceipt, type RunReceipt } from "../../core/report/run-receipt.ts";
import { JOURNAL_FILE, readJournal } from "./journal-read.ts";
import { readOverview } from "./journal-tail.ts";

/** The end of a run stands well within this from that of its journal: only resets are recorded after it. */
const END_BYTES = 64 * 1024;

/** What a run came to. Of one that ended only both ends of its journal are read. */
export function runReceipt(runsDir: string, run: string, live: boolean): RunReceipt {
  const path = join(runsDir, run, JOURNAL_FILE);
  const bytes = folderBytes(join(runsDir, run));
  const started = beginningOf(path);
  const end = live ? null : endOf(path);
  if (started !== null && end !== null) return { ...finishedReceipt(started, end), bytes };
  return { ...unfinished(path, run, started), status: live ? "live" : "broken_off", bytes };
}

/**
 * The run whose fold is the project's state: a journal without its first line holds none, and the one before it counts.
 * @param runs oldest first
 */
export function newestWithBeginning(runsDir: string, runs: readonly string[]): string | null {
  return runs.findLast((run) => beginningOf(join(runsDir, run, JOURNAL_FILE)) !== null) ?? null;
}

/** Deletes a run with all that belongs to it. @throws RalphError `environment` if that is not allowed */
export function deleteRun(runsDir: string, run: string): void {
  try {
    rmSync(join(runsDir, run), { recursive: true, force: true, maxRetries: 3 });
  } catch (cause) {
    throw new RalphError("environment", `The run ${run} cannot be deleted: ${(cause as Error).message}`, { cause });
  }
}

function beginningOf(path: string): EventOf<"run_started"> | null {
  const [first] = readJournal(path);
  return first !== undefined && "event" in first && first.event.type === "run_started" ? first.event : null;
}

function endOf(path: string): EventOf<"run_finished"> | null {
  const fd = openSync(path, "r");
  try {
    const { size } = fstatSync(fd);
    const chunk = Buffer.alloc(Math.min(size, END_BYTES));
    readSync(fd, chunk, 0, chunk.length, size - chunk.length);
    const lines = chunk.toString("utf8").split("\n");
    const ends = lines.filter((line) => line.includes('"run_finished"')).map(eventOf);
    return ends.findLast((event) => event?.type === "run_finished") ?? null;
  } catch {
    return null; // unreadable just now: the run is read as one without an end
  } finally {
    closeSync(fd);
  }
}

/** The event of a line; null for one that is torn or cut. */
function eventOf(line: string): RalphEvent | null {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function unfinished(
  path: string,
  run: string,
  started: EventOf<"run_started"> | null,
): Omit<RunReceipt, "bytes" | "status"> {
  const { events } = readOverview(path);
  const state = events.reduce((before, { event }) => reduce(before, event), initialState(""));
  return {
    run,
    started_at: started?.at ?? null,
    ended_at: events.at(-1)?.event.at ?? null,
    driver: started?.driver ?? null,
    started_by: started?.started_by ?? null,
    stop_reason: state.finished?.reason ?? null,
    exit_code: state.finished?.exit_code ?? null,
    iterations: state.iterations,
    calls: state.calls,
    tokens: totalTokens(state.usage),
    cost_usd: state.usage.cost_usd,
  };
}

function folderBytes(dir: string): number {
  return readdirSync(dir).reduce(
    (sum, name) => sum + (statSync(join(dir, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
