/** Keeps the files before and after each iteration (product.md "Checkpoints"). A checkpoint that fails ends nothing: it is told. */

import { reasonOf } from "../core/system-error.ts";
import { count } from "../core/text/count.ts";
import type { Snapshot } from "../effects/ports.ts";
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

function keep({ world, state, settings, append }: Run, tree: Snapshot, { name, title, onlyNew }: Kept): void {
  if (!settings.CHECKPOINTS || world.project.isGone()) return;
  const { run, checkpoint: last } = state();
  try {
    const made = world.checkpoints.make(tree, { run, name, message: `ralph ${run}, ${title}`, onlyNew });
    if (made === null) return;
    const { commit, leftOut } = made;
    append({ type: "checkpoint_made", name, commit, left_out: leftOut.length });
    if (leftOut.length > (last?.left_out ?? 0)) append({ type: "note", level: "warn", text: lacks(leftOut) });
  } catch (error) {
    const why = reasonOf(error);
    append({ type: "checkpoint_missed", name, why });
    if (last?.fault !== why)
      append({
        type: "note",
        level: "warn",
        text: `No checkpoint of the files could be made: ${why}. The run goes on.`,
      });
  }
}

function lacks(paths: readonly string[]): string {
  const named = paths.slice(0, MOST_NAMED).join(", ");
  const rest = paths.length > MOST_NAMED ? " …" : "";
  return `${count(paths.length, "file is", "files are")} too large or too many for checkpoints, or unreadable: ralph undo leaves them as they are (${named}${rest}).`;
}
