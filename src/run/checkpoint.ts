/** Keeps the files before and after each iteration (product.md "Checkpoints"). A checkpoint that fails ends nothing: it is told. */

import { reasonOf } from "../core/system-error.ts";
import { count } from "../core/text/count.ts";
import type { MadeCheckpoint, Snapshot } from "../effects/ports.ts";
import type { Run } from "./run.ts";

/** Named in the warning about files that a checkpoint lacks. */
const MOST_NAMED = 3;

/** Keeps the files as an iteration finds them, where the last checkpoint does not have them: a person may have changed some. */
export function checkpointBefore(run: Run, tree: Snapshot, iteration: number): void {
  keep(run, tree, { name: `${iteration}.before`, title: `before iteration ${iteration}`, onlyNew: true });
}

/** Keeps the files as an iteration left them. @param title what it did */
export function checkpointAfter(run: Run, tree: Snapshot, iteration: number, title: string | null): void {
  const about = title === null ? "" : `: ${run.masks.text(title)}`;
  keep(run, tree, { name: `${iteration}`, title: `iteration ${iteration}${about}`, onlyNew: false });
}

type Kept = { name: string; title: string; onlyNew: boolean };

function keep(run: Run, tree: Snapshot, kept: Kept): void {
  const { world, state, settings, append } = run;
  if (!settings.CHECKPOINTS || world.project.isGone()) return;
  const last = state().checkpoint;
  const made = make(run, tree, kept);
  if (made === null) return;
  if ("why" in made) {
    append({ type: "checkpoint_missed", name: kept.name, why: made.why });
    const text = `No checkpoint of the files could be made: ${made.why}. The run goes on.`;
    if (last?.fault !== made.why) append({ type: "note", level: "warn", text });
    return;
  }
  const { commit, leftOut } = made;
  append({ type: "checkpoint_made", name: kept.name, commit, left_out: leftOut.length });
  if (leftOut.length > (last?.left_out ?? 0)) append({ type: "note", level: "warn", text: lacks(leftOut) });
}

/** @returns null if none was needed; why it failed, if it did: only that is no reason to end a run, unlike a journal that fails */
function make(
  { world, state }: Run,
  tree: Snapshot,
  { name, title, onlyNew }: Kept,
): MadeCheckpoint | { why: string } | null {
  const { run } = state();
  try {
    return world.checkpoints.make(tree, { run, name, message: `ralph ${run}, ${title}`, onlyNew });
  } catch (error) {
    return { why: reasonOf(error) };
  }
}

function lacks(paths: readonly string[]): string {
  const named = paths.slice(0, MOST_NAMED).join(", ");
  const rest = paths.length > MOST_NAMED ? " …" : "";
  return `${count(paths.length, "file is", "files are")} too large or too many for checkpoints, or unreadable: ralph undo leaves them as they are (${named}${rest}).`;
}
