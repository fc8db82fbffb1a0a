/** Keeps the files before and after each iteration (product.md "Checkpoints"). A checkpoint that fails ends nothing: it is told. */

import { warning } from "../core/journal/warning.ts";
import { reasonOf } from "../core/system-error.ts";
import { count } from "../core/text/count.ts";
import type { MadeCheckpoint, ReadCheckpoint, Snapshot } from "../effects/ports.ts";
import type { Run } from "./run.ts";

/** Named in the warning about files that a checkpoint lacks. */
const MOST_NAMED = 3;

/** Keeps the files as an iteration finds them, where the last checkpoint does not have them: a person may have changed some. */
export function checkpointBefore(run: Run, tree: Snapshot, iteration: number): void {
  if (!isWanted(run)) return;
  const name = `${iteration}.before`;
  const read = readFiles(run, tree, { name, title: `before iteration ${iteration}`, onlyNew: true });
  if (read === null) return;
  // It builds on the one after the iteration before, which may not be written yet.
  run.later.now();
  write(run, name, read);
}

/**
 * Keeps the files as an iteration left them. They are read at once, and written as soon as the next agent has started, or the run waits for
 * anything else: writing takes several ms on a slow disk.
 * @param title what it did
 * @returns whether they are kept, or will be
 */
export function checkpointAfter(run: Run, tree: Snapshot, iteration: number, title: string | null): boolean {
  if (!isWanted(run)) return false;
  const about = title === null ? "" : `: ${run.masks.text(title)}`;
  const name = `${iteration}`;
  const read = readFiles(run, tree, { name, title: `iteration ${iteration}${about}`, onlyNew: false });
  if (read === null) return false;
  run.later.add(() => write(run, name, read));
  return !("why" in read);
}

/**
 * Keeps the files as they are now, whether checkpoints are wanted or not.
 * @param before what is about to change them
 * @returns null if `onlyNew` is set and the last checkpoint has the same files
 * @throws Error if it cannot be made; the project and its branches are as they were
 */
export async function checkpointNow(
  { world, state, append }: Run,
  { name, before, onlyNew }: { name: string; before: string; onlyNew: boolean },
): Promise<{ commit: string; tree: Snapshot } | null> {
  const { run } = state();
  const tree = await world.workspace.snapshot();
  const made = world.checkpoints.make(tree, { run, name, message: `ralph ${run}, before ${before}`, onlyNew });
  if (made === null) return null;
  append({ type: "checkpoint_made", name, commit: made.commit, left_out: made.leftOut.length });
  if (made.lost !== null) append(warning(gone(made.lost)));
  return { commit: made.commit, tree };
}

function isWanted({ settings, world }: Run): boolean {
  return settings.CHECKPOINTS && !world.project.isGone();
}

/** Why there is no checkpoint: only that is no reason to end a run, unlike a journal that fails. */
type Missed = { why: string };

type Wanted = { name: string; title: string; onlyNew: boolean };

/** @returns null if none was needed */
function readFiles(
  { world, state }: Run,
  tree: Snapshot,
  { name, title, onlyNew }: Wanted,
): ReadCheckpoint | Missed | null {
  const { run } = state();
  try {
    return world.checkpoints.read(tree, { run, name, message: `ralph ${run}, ${title}`, onlyNew });
  } catch (error) {
    return { why: reasonOf(error) };
  }
}

/** Writes what was read, and records what came of it. */
function write(run: Run, name: string, read: ReadCheckpoint | Missed): void {
  const { state, append } = run;
  const last = state().checkpoint;
  const made = "why" in read ? read : written(read);
  if ("why" in made) {
    noteMissed(run, name, made.why, "The run goes on");
    return;
  }
  const { commit, leftOut, lost } = made;
  append({ type: "checkpoint_made", name, commit, left_out: leftOut.length });
  if (lost !== null) append(warning(gone(lost)));
  if (leftOut.length > (last?.left_out ?? 0)) append(warning(lacks(leftOut)));
}

/** Records that there is no checkpoint, and tells it, unless the last one failed for the same. @param next what is done without it */
export function noteMissed({ state, append }: Run, name: string, why: string, next: string): void {
  const isKnown = state().checkpoint?.fault === why;
  append({ type: "checkpoint_missed", name, why });
  const text = `No checkpoint of the files could be made: ${why}. ${next}.`;
  if (!isKnown) append(warning(text));
}

function written(read: ReadCheckpoint): MadeCheckpoint | Missed {
  try {
    read.write();
    return read;
  } catch (error) {
    return { why: reasonOf(error) };
  }
}

function gone(ref: string): string {
  return `Somebody deleted or moved the checkpoint ${ref}, and perhaps others: ralph undo cannot give back what only they had.`;
}

function lacks(paths: readonly string[]): string {
  const named = paths.slice(0, MOST_NAMED).join(", ");
  const rest = paths.length > MOST_NAMED ? " …" : "";
  return `${count(paths.length, "file is", "files are")} too large or too many for checkpoints, or unreadable: ralph undo leaves them as they are (${named}${rest}).`;
}
