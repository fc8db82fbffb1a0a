import type { EventBody } from "../core/journal/event.ts";
import { initialState, type State } from "../core/journal/state.ts";
import { warning } from "../core/journal/warning.ts";
import { parseRecordedPlan } from "../core/plan/fix-plan.ts";
import { adoptEdits } from "../core/state-files/adopt-edits.ts";
import { adoptLegacy, type OldFiles } from "../core/state-files/legacy/adopt-legacy.ts";
import { count } from "../core/text/count.ts";
import type { FoldedRun, World } from "../effects/ports.ts";
import { recordLostSpending } from "./day-spending.ts";
import { lostUsage, type Reader } from "./lost-usage.ts";
import { planIfReadable } from "./plan-if-readable.ts";
import { createRecorder } from "./recorder.ts";
import { orphanIdentity, planRecovery } from "./recovery.ts";

/** The state of a project at a start, with notes on its recovery. */
export type Recovered = { state: State; notes: EventBody[]; newest: FoldedRun | null };

/**
 * Determines the state of a project and repairs what an earlier run left: ends its orphans, closes its journal, moves
 * unreadable files aside. Call it only under the project's lock.
 * @param version of this program
 * @param driver the one of the run to come, and of an old session file that names none; null for Claude Code, which wrote such files
 */
export async function recoverProject(world: World, version: string, driver: Reader | null): Promise<Recovered> {
  const newest = world.newestRun(version);
  const now = world.clock.now();
  if (newest === null) return { ...adoptOldFiles(world, driver?.name ?? "claude-code", now), newest };

  const corrupt = newest.badLines.length === 0 ? [] : [corruptJournal(world, newest)];
  const closed = await closeJournal(world, newest, driver);
  const edits = adoptEdits(closed.state, world.readOldFiles(false), now);
  world.moveOldFilesAside(edits.corrupt, false);
  return { state: edits.state, notes: [...closed.notes, ...corrupt, ...edits.notes.map(warning)], newest };
}

/** Adopts the originals' state files in a project without a journal: in `.ralph`, or at the root of the flat layout. */
function adoptOldFiles(world: World, driver: string, now: number): { state: State; notes: EventBody[] } {
  const files = world.readOldFiles(true);
  const adopted = adoptLegacy(files, { now, driver });
  world.moveOldFilesAside(adopted.corrupt, true);
  const notes = [...adopted.notes, ...leftAtRoot(files, world.readOldFiles(false))].map(warning);
  return { state: { ...initialState(world.project.dir), ...adopted.state }, notes };
}

/** A program that reads the state at the root of a flat project would wait for changes. A lone `status.json` is not ours. */
function leftAtRoot(files: OldFiles, below: OldFiles): string[] {
  const names = Object.keys(files).filter((name) => !Object.hasOwn(below, name));
  if (!names.some((name) => name.startsWith("."))) return [];
  return [`The project's root keeps ${names.join(", ")} as they are: ralph writes its own below .ralph.`];
}

function corruptJournal(world: World, { run, dir, badLines }: FoldedRun): EventBody {
  const copy = world.moveCorruptJournalAside(dir);
  return warning(
    `${count(badLines.length, "line")} of the journal of run ${run} could not be used and ${badLines.length === 1 ? "was" : "were"} set aside, the first ${copy}:${badLines[0]}; that file is the original.`,
  );
}

async function closeJournal(
  world: World,
  newest: FoldedRun,
  driver: Reader | null,
): Promise<{ state: State; notes: EventBody[] }> {
  const { call, task, settings } = newest.state;
  const plan = task === null ? parseRecordedPlan(planIfReadable(world.project.plan), settings) : null;
  const recovery = planRecovery(newest.state, plan?.counts ?? null);
  if (recovery === null) return { state: newest.state, notes: [] };
  const lastKnown = Date.parse(newest.state.updated_at);
  // A clone's journal tells of nothing that this user spent, and of no process here; opening the run puts the project on the list.
  const isOwn = world.isListed();
  const ended = await world.endOrphan(orphanIdentity(newest.state), isOwn ? lastKnown : null);
  const files = world.openRun(newest.run, () => {});
  const recorder = createRecorder({
    run: newest.run,
    state: newest.state,
    // The closing events get the time of the last event: the run did not work or wait through the night until this
    // start.
    now: () => lastKnown,
    write: files.write,
    sync: files.sync,
    subscribers: [],
  });
  if (call !== null)
    recorder.appendAll(lostUsage(world, driver, newest.state, files.callFiles(call.iteration, call.call).stdout));
  const unbooked = isOwn ? recordLostSpending(world, recorder.state()) : [];
  recorder.appendAll(recovery.closing);
  files.close(null);
  const recovered: EventBody = {
    type: "run_recovered",
    of_run: newest.run,
    interrupted_iteration: recovery.interrupted,
    ended_processes: ended,
  };
  return { state: recorder.state(), notes: [recovered, ...unbooked] };
}
