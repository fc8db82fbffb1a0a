import { join } from "node:path";
import type { State } from "../core/journal/state.ts";
import { foldNewestRun, foldRuns } from "../effects/journal/journal-fold.ts";
import { JOURNAL_FILE } from "../effects/journal/journal-read.ts";
import { readLock } from "../effects/journal/lock.ts";
import { VERSION } from "../version.ts";
import type { ProjectState } from "./project-state.ts";
import { damageOf } from "./show/journal-damage.ts";

/** The state that the newest journal of a project tells; null if there is none. */
export function recordedState(project: string, ralph: string): ProjectState | null {
  const folded = foldNewestRun(join(ralph, "runs"), project, VERSION);
  if (folded === null) return null;
  const lock = readLock(join(ralph, "lock"));
  return {
    // Whoever moved or copied it has it here, whatever the run was told.
    state: { ...folded.state, project },
    alive: lock?.isHeld === true && lock.pid === folded.state.pid,
    damage: damageOf(join(folded.dir, JOURNAL_FILE), folded.badLines),
  };
}

/** The state of the newest run that did not only land what others had done; null if there is none. */
export function newestWork(project: string, ralph: string): State | null {
  for (const state of foldRuns(join(ralph, "runs"), project))
    if (state.started_by !== "land") return { ...state, project };
  return null;
}
