import type { EventBody } from "../../core/journal/event.ts";
import { initialState, type State } from "../../core/journal/state.ts";
import { adoptEdits } from "../../core/state-files/adopt-edits.ts";
import { adoptLegacy, type OldFileName } from "../../core/state-files/legacy/adopt-legacy.ts";
import { systemClock } from "../../effects/clock.ts";
import { moveCorruptAside, openJournal } from "../../effects/journal/journal.ts";
import { type FoldedRun, foldNewestRun } from "../../effects/journal/journal-fold.ts";
import { endOrphan } from "../../effects/process-tree/orphans.ts";
import type { ProjectPaths } from "../../effects/project/project-paths.ts";
import { moveOldFileAside, readOldFiles } from "../../effects/state-files/legacy-files.ts";
import { createRecorder } from "../../run/recorder.ts";
import { orphanIdentity, planRecovery } from "../../run/recover.ts";

/** The state of a project at a start, and what there is to say about how it was found. */
export type Recovered = { state: State; notes: EventBody[]; newest: FoldedRun | null };

/**
 * Finds out where a project stands, and mends what an earlier run left: ends its orphans, closes its journal, sets
 * unreadable files aside. To be called under the project's lock.
 * @param driver the driver that old session files without a name are taken for
 */
export async function recoverProject(paths: ProjectPaths, runsDir: string, driver: string): Promise<Recovered> {
  const newest = foldNewestRun(runsDir, paths.project);
  const now = systemClock.now();
  if (newest === null) return { ...adoptOld(paths, driver, now), newest };

  const notes: EventBody[] = [];
  if (newest.badLines.length > 0) {
    const aside = moveCorruptAside(newest.dir, fileStamp(now));
    notes.push(
      warning(
        `The journal of run ${newest.run} had ${newest.badLines.length} unreadable line(s), the first in line ${newest.badLines[0]}; the original is kept as ${aside}.`,
      ),
    );
  }
  const closed = await closeJournal(newest);
  const edits = adoptEdits(closed.state, readOldFiles([paths.ralph]), now);
  setAside([paths.ralph], edits.corrupt, now);
  return { state: edits.state, notes: [...closed.notes, ...notes, ...edits.notes.map(warning)], newest };
}

/** The state files of one of the originals, where there is no journal yet: in `.ralph`, or at the root of the flat layout. */
function adoptOld(paths: ProjectPaths, driver: string, now: number): { state: State; notes: EventBody[] } {
  const dirs = [paths.ralph, paths.project];
  const adopted = adoptLegacy(readOldFiles(dirs), { now, driver });
  setAside(dirs, adopted.corrupt, now);
  return { state: { ...initialState(paths.project), ...adopted.state }, notes: adopted.notes.map(warning) };
}

async function closeJournal(newest: FoldedRun): Promise<{ state: State; notes: EventBody[] }> {
  const recovery = planRecovery(newest.state);
  if (recovery === null) return { state: newest.state, notes: [] };
  const ended = await endOrphan(orphanIdentity(newest.state), Date.parse(newest.state.updated_at));
  const journal = openJournal(newest.dir);
  const recorder = createRecorder({
    run: newest.run,
    state: newest.state,
    // Nothing is known of it after its last event: a night until the next start is no time that it worked or waited.
    now: () => Date.parse(newest.state.updated_at),
    write: journal.write,
    sync: journal.sync,
    readers: [],
  });
  recorder.appendAll(recovery.closing);
  journal.close();
  return {
    state: recorder.state(),
    notes: [
      {
        type: "run_recovered",
        of_run: newest.run,
        interrupted_iteration: recovery.interrupted,
        ended_processes: ended,
      },
    ],
  };
}

function setAside(dirs: readonly string[], names: readonly OldFileName[], now: number): void {
  for (const name of names) moveOldFileAside(dirs, name, fileStamp(now));
}

function warning(text: string): EventBody {
  return { type: "note", level: "warn", text };
}

function fileStamp(now: number): string {
  return new Date(now).toISOString().replaceAll(/[:.]/g, "-");
}
