import { badLines } from "../../effects/journal/journal-read.ts";
import type { Log } from "../log.ts";

/** The lines of a journal that could not be used, in a sentence; null for none. */
export function damageOf(journal: string, lines: readonly number[]): string | null {
  const [first] = lines;
  if (first === undefined) return null;
  const which = lines.length === 1 ? "This line" : `${lines.length} lines, of which this is the first,`;
  return `${which} cannot be used: ${journal}:${first}`;
}

/**
 * Makes what a reader of journals calls when it leaves a line out: each journal is told once. Only then is all of it read for
 * such lines, since a journal may be large, and most are whole.
 */
export function damageTeller({ warn }: Pick<Log, "warn">): (journal: string) => void {
  const told = new Set<string>();
  return (journal) => {
    if (told.has(journal)) return;
    told.add(journal);
    const damage = damageOf(journal, badLines(journal));
    if (damage !== null) warn(damage);
  };
}
