import { join } from "node:path";
import { type Checkpoint, type CheckpointHistory, checkpointHistory } from "../../core/checkpoints/checkpoint-list.ts";
import { RalphError } from "../../core/errors.ts";
import { JOURNAL_FILE, journalEvents } from "../../effects/journal/journal-read.ts";
import { chooseRun } from "./choose-run.ts";

/** @throws RalphError `environment` if the journal cannot be read */
export function historyOf(runsDir: string, run: string): CheckpointHistory {
  return checkpointHistory(journalEvents(join(runsDir, run, JOURNAL_FILE), { words: false }));
}

/**
 * A checkpoint by its name, `3` or `undo-1`, of another run as `4/3`.
 * @param runs all runs, oldest first
 * @param newest the run that is meant where none is named
 * @throws RalphError `environment` if there is none
 */
export function findCheckpoint(runsDir: string, runs: readonly string[], newest: string, asked: string): Checkpoint {
  const [name = "", wanted] = asked.split("/", 2).reverse();
  const run = wanted === undefined ? newest : chooseRun(runs, wanted);
  const found = historyOf(runsDir, run).checkpoints.findLast((one) => one.name === name);
  if (found !== undefined) return found;
  throw new RalphError("environment", `The run ${run} has no checkpoint ${JSON.stringify(name)}.`, {
    hint: `See which it has with: ralph checkpoints${run === newest ? "" : ` ${run}`}`,
  });
}
