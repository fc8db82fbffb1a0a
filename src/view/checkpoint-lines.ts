import type { Checkpoint } from "../core/checkpoints/checkpoint-list.ts";
import type { EventOf } from "../core/journal/event.ts";
import { count } from "../core/text/count.ts";
import { singleLine } from "../core/text/plain-text.ts";
import { localClock } from "../core/text/time-text.ts";

import type { Look } from "./text/style.ts";
import { columns, fit, wrap } from "./text/text.ts";

/**
 * `ralph checkpoints`: a row each, oldest first.
 * @param run `isNewest`: a name alone means a checkpoint of it
 * @param rows `gone`: whether it can be read no more
 */
export function checkpointLines(
  { run, isNewest }: { run: string; isNewest: boolean },
  rows: readonly (Checkpoint & { gone: boolean })[],
  { style, width }: Look,
): string[] {
  if (rows.length === 0) return [`The run ${run} kept no files.`];
  const widest = Math.max(...rows.map(({ name }) => columns(name)));
  const lines = rows.map((row) => {
    const { name, at, gone } = row;
    const text = `${singleLine(name).padEnd(widest)}  ${localClock(Date.parse(at))}  ${gone ? "gone" : describeCheckpoint(row)}`;
    return gone ? style.dim(fit(text, width)) : fit(text, width);
  });
  const name = rows.findLast(({ gone }) => !gone)?.name ?? "NAME";
  const hint = `Run ${run}. Go back to one with: ralph undo --to ${isNewest ? name : `${run}/${name}`}`;
  return [...lines, ...wrap(hint, width).map(style.dim)];
}

type About = { what: string; red: readonly string[]; further: number | null; lost: readonly string[] };

/** More names push the way back off the screen. */
const MOST_NAMED = 20;

/**
 * What `ralph undo` did, and the way back.
 * @param about `what`: as what the files are now; `red`: the gates that are red; `further`: the iteration before it that changed something;
 * `lost`: tasks that the plan has no more
 */
export function undoneLines(
  { written, deleted, set_aside, left, kept, changed_since = [] }: EventOf<"undone">,
  { what, red, further, lost }: About,
  { style, width }: Look,
): string[] {
  const done = [
    ...(written === 0 ? [] : [count(written, "file put back", "files put back")]),
    ...(deleted === 0 ? [] : [written === 0 ? count(deleted, "file deleted", "files deleted") : `${deleted} deleted`]),
  ];
  const after =
    done.length === 0
      ? further === null
        ? []
        : [`Further back: ralph undo ${further}`]
      : [
          "Commits, branches and ignored files are as they were. The agent begins a new conversation.",
          `Take this back with: ralph undo --to ${kept}`,
        ];
  const list = (words: string, paths: readonly string[]) =>
    paths.length === 0
      ? []
      : [...wrap(`! ${words}`, width).map(style.yellow), ...paths.map((path) => `    ${singleLine(path)}`)];
  return [
    ...wrap(`${done.length === 0 ? "Nothing to do, the files are so" : done.join(", ")}: ${what}.`, width),
    ...list(
      `Changed since the last iteration, and taken back too (${kept} has ${changed_since.length === 1 ? "it" : "them"}):`,
      someOf(changed_since),
    ),
    ...list("No longer in the plan:", someOf(lost)),
    ...list("In the way and in no checkpoint, so kept in the run's folder:", set_aside),
    ...list("Not given back:", left),
    ...list("Red now:", red),
    ...after.flatMap((text) => wrap(text, width).map(style.dim)),
  ];
}

function someOf(names: readonly string[]): readonly string[] {
  const more = names.length - MOST_NAMED;
  return more <= 0 ? names : [...names.slice(0, MOST_NAMED), `and ${more} more`];
}

/** When a checkpoint was made. */
export function describeCheckpoint({ name, iteration, title }: Checkpoint): string {
  if (iteration !== null)
    return title === null ? `after iteration ${iteration}` : `after iteration ${iteration}: ${singleLine(title)}`;
  const before = /^(\d+)\.before$/.exec(name)?.[1];
  if (before !== undefined) return `before iteration ${before}`;
  if (name.startsWith("undo-")) return "before an undo";
  return name.startsWith("land-") ? "before landing" : "before a git step";
}
