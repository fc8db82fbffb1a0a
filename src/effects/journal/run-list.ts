import { closeSync, fstatSync, readdirSync, readSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import type { EventOf, RalphEvent } from "../../core/journal/event.ts";
import { reduce } from "../../core/journal/reduce.ts";
import { isRunOver } from "../../core/journal/run-over.ts";
import { initialState } from "../../core/journal/state.ts";
import { costOf, totalTokens } from "../../core/journal/usage.ts";
import { finishedReceipt, type RunReceipt, spentBefore } from "../../core/report/run-receipt.ts";
import { reasonOf } from "../../core/system-error.ts";
import { openRegular } from "../files/regular-file.ts";
import { JOURNAL_FILE, readJournal, usableEvent } from "./journal-read.ts";
import { readOverview } from "./journal-tail.ts";

/** `run_finished` lies mostly within this many bytes of the journal's end: few words, resets and undos are recorded after it. */
const END_BYTES = 64 * 1024;

/**
 * The outcome of a run. For a finished run it reads only the beginning and the end of the journal.
 * @param onBad called with the journal's path if lines of what is read cannot be used
 */
export function runReceipt(
  runsDir: string,
  run: string,
  live: boolean,
  onBad: (path: string) => void = () => {},
): RunReceipt {
  const path = join(runsDir, run, JOURNAL_FILE);
  const bytes = folderBytes(join(runsDir, run));
  const started = beginningOf(path);
  const { end, isDamaged } = live ? { end: null, isDamaged: false } : endOf(path);
  if (isDamaged) onBad(path);
  if (started !== null && end !== null) return { ...finishedReceipt(started, end), run, bytes };
  const found = unfinished(path, run, { started, onBad });
  const isFinished = started !== null && found.stop_reason !== null;
  return { ...found, status: live ? "live" : isFinished ? "finished" : "broken_off", bytes };
}

/**
 * The run that holds the project's state. A journal without its first line has none, so the one before it counts.
 * @param runs oldest first
 */
export function newestWithBeginning(runsDir: string, runs: readonly string[]): string | null {
  return runs.findLast((run) => beginningOf(join(runsDir, run, JOURNAL_FILE)) !== null) ?? null;
}

/** Deletes a run's folder. @throws RalphError `environment` if that is not allowed */
export function deleteRun(runsDir: string, run: string): void {
  try {
    rmSync(join(runsDir, run), { recursive: true, force: true, maxRetries: 3 });
  } catch (cause) {
    throw new RalphError("environment", `The run ${run} cannot be deleted: ${reasonOf(cause)}`, { cause });
  }
}

function beginningOf(path: string): EventOf<"run_started"> | null {
  const [first] = readJournal(path);
  return first !== undefined && "event" in first && first.event.type === "run_started" ? first.event : null;
}

/** The end of a run, and whether a line after it cannot be used. It is read from the last line: a list of thousands of runs needs no other. */
function endOf(path: string): { end: EventOf<"run_finished"> | null; isDamaged: boolean } {
  const fd = openRegular(path, "read");
  try {
    const { size } = fstatSync(fd);
    const chunk = Buffer.alloc(Math.min(size, END_BYTES));
    readSync(fd, chunk, 0, chunk.length, size - chunk.length);
    // The first line may begin before, and the last may be torn.
    const lines = chunk
      .toString("utf8")
      .split("\n")
      .slice(size > END_BYTES ? 1 : 0, -1);
    let isDamaged = false;
    for (const line of lines.reverse()) {
      const event = usableEvent(line, path);
      if (event?.type === "run_finished") return { end: event, isDamaged };
      isDamaged ||= event === null;
    }
    return { end: null, isDamaged };
  } catch {
    return { end: null, isDamaged: false }; // unreadable right now: treated as a run without an end
  } finally {
    closeSync(fd);
  }
}

function unfinished(
  path: string,
  run: string,
  { started, onBad }: { started: EventOf<"run_started"> | null; onBad(path: string): void },
): Omit<RunReceipt, "bytes" | "status"> {
  const { events, isDamaged } = readOverview(path);
  if (isDamaged) onBad(path);
  const state = events.reduce((before, { event }) => reduce(before, event), initialState(""));
  return {
    run,
    started_at: started?.at ?? null,
    ended_at: endedAt(events.map(({ event }) => event)),
    driver: started?.driver ?? null,
    display_name: started?.display_name ?? started?.driver ?? null,
    started_by: started?.started_by ?? null,
    task: started?.task ?? null,
    stop_reason: state.finished?.reason ?? null,
    exit_code: state.finished?.exit_code ?? null,
    iterations: state.iterations + (state.open === null ? 0 : 1),
    calls: state.calls,
    tokens: totalTokens(state.usage),
    ...costOf(state.usage),
    earlier: spentBefore(started),
  };
}

/** The time of a run's newest event, but not of what others recorded once it was over. */
function endedAt(events: readonly RalphEvent[]): string | null {
  const over = events.findIndex(isRunOver);
  const end = over > 0 && events[over]?.type !== "run_finished" ? over - 1 : over;
  return events.at(end)?.at ?? null;
}

function folderBytes(dir: string): number {
  return readdirSync(dir).reduce(
    (sum, name) => sum + (statSync(join(dir, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}
