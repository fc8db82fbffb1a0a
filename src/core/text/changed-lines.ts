import { without } from "../multiset.ts";

/**
 * The lines that only one of two texts has, as in a diff: `- ` removed, `+ ` added, each in its order. Lines that only moved are
 * left out. Linear in the lines of both.
 * @param most lines to return; a last line says how many more there are
 */
export function changedLines(before: string, after: string, most: number): string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const bare = (line: string) => line.trim();
  const changed = [
    ...without(old, now, bare).map((line) => `- ${line}`),
    ...without(now, old, bare).map((line) => `+ ${line}`),
  ];
  if (changed.length <= most) return changed;
  // Both sides of a change are worth seeing.
  const removed = changed.filter((line) => line.startsWith("-"));
  const added = changed.filter((line) => line.startsWith("+"));
  const half = Math.floor(most / 2);
  const ofRemoved = Math.min(removed.length, Math.max(half, most - added.length));
  const shown = [...removed.slice(0, ofRemoved), ...added.slice(0, most - ofRemoved)];
  return [...shown, `  … and ${changed.length - shown.length} more`];
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== "");
}
