/**
 * The lines that only one of two texts has, as in a diff: `- ` removed, `+ ` added, each in its order. Lines that only moved are
 * left out. Linear in the lines of both.
 * @param most lines to return; a last line says how many more there are
 */
export function changedLines(before: string, after: string, most: number): string[] {
  const [old, now] = [linesOf(before), linesOf(after)];
  const changed = [...without(old, now).map((line) => `- ${line}`), ...without(now, old).map((line) => `+ ${line}`)];
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

/** The lines of `all` without those of `others`, each as often as it stands there. */
function without(all: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line.trim(), (left.get(line.trim()) ?? 0) + 1);
  return all.filter((line) => {
    const n = left.get(line.trim()) ?? 0;
    if (n > 0) left.set(line.trim(), n - 1);
    return n === 0;
  });
}
