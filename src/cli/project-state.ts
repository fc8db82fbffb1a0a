import { join } from "node:path";
import type { State } from "../core/journal/state.ts";
import { initialState } from "../core/journal/state.ts";
import { adoptLegacy } from "../core/state-files/legacy/adopt-legacy.ts";
import { foldNewestRun } from "../effects/journal/journal-fold.ts";
import { JOURNAL_FILE } from "../effects/journal/journal-read.ts";
import { readLock } from "../effects/journal/lock.ts";
import { checkRalphDir } from "../effects/project/project-paths.ts";
import { readOldFiles } from "../effects/state-files/legacy-files.ts";
import { damageOf } from "./show/journal-damage.ts";

export type ProjectState = {
  state: State;
  /** Whether the process of the newest run is still alive. */
  alive: boolean;
  /** No journal exists: the state comes from the state files of one of the originals. */
  adopted: boolean;
  /** The lines of the newest journal that could not be used, in a sentence; null for none. */
  damage: string | null;
};

/**
 * The last known state of a project: the newest journal folded, or else the originals' state files.
 * @throws RalphError `environment` if `.ralph` is not a folder of the project
 */
export async function projectState(project: string): Promise<ProjectState> {
  const ralph = checkRalphDir(project);
  const folded = foldNewestRun(join(ralph, "runs"), project);
  const lock = readLock(join(ralph, "lock"));
  if (folded !== null)
    return {
      state: folded.state,
      alive: lock?.isHeld === true && lock.pid === folded.state.pid,
      adopted: false,
      damage: damageOf(join(folded.dir, JOURNAL_FILE), folded.badLines),
    };
  const old = adoptLegacy(readOldFiles([ralph, project]), { now: Date.now(), driver: null });
  return { state: { ...initialState(project), ...old.state }, alive: false, adopted: true, damage: null };
}
