import { join } from "node:path";
import { reduce } from "../../core/journal/reduce.ts";
import { initialState, type State } from "../../core/journal/state.ts";
import type { FoldedRun } from "../ports.ts";
import { JOURNAL_FILE, readJournal, runsFromNewest } from "./journal-read.ts";
import { readKeptFold } from "./kept-fold.ts";

/** Reads one run's journal into its state. */
export function foldRun(runsDir: string, run: string, project: string): FoldedRun {
  const dir = join(runsDir, run);
  const badLines: number[] = [];
  let state = initialState(project);
  for (const line of readJournal(join(dir, JOURNAL_FILE))) {
    if ("bad" in line) badLines.push(line.line);
    else state = reduce(state, line.event);
  }
  return { run, dir, state: state.run === "" ? state : { ...state, run }, badLines };
}

/** The runs of a project that have a state, folded, the newest first; each is read when it is its turn. */
export function* foldRuns(runsDir: string, project: string): Generator<State> {
  for (const run of runsFromNewest(runsDir)) {
    const { state } = foldRun(runsDir, run, project);
    if (state.run !== "") yield state;
  }
}

/**
 * The newest run of a project whose journal has a readable first line, folded; null if there is none. Without that line a
 * journal has no state (ralph died while creating it, or it is damaged), so the run before it counts.
 * @param version of this program, which may have kept what a journal comes to; null: each is read
 */
export function foldNewestRun(runsDir: string, project: string, version: string | null = null): FoldedRun | null {
  for (const run of runsFromNewest(runsDir)) {
    const dir = join(runsDir, run);
    const kept = version === null ? null : readKeptFold(dir, version);
    if (kept !== null) return { run, dir, state: { ...kept, run }, badLines: [] };
    const folded = foldRun(runsDir, run, project);
    if (folded.state.run !== "") return folded;
  }
  return null;
}
