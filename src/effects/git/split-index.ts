/** The split index: a small index that amends a shared one (gitformat-index, "Split index"). */
import type { IndexEntry, IndexFile } from "./index-file.ts";

/** File name of the shared index; null if the index stands alone. */
export function sharedIndexName(link: Buffer, width: number): string | null {
  const oid = link.toString("hex", 0, width);
  return /^0*$/.test(oid) ? null : `sharedindex.${oid}`;
}

/**
 * The merged entries, unordered. The link lists deleted and replaced positions of the shared index; the replacements come
 * first in the amending index, without names.
 */
export function mergeSplitIndex(shared: readonly IndexEntry[], own: IndexFile, width: number): IndexEntry[] {
  if (own.link === null || own.link.length <= width) return [...shared, ...own.entries];
  const deleted = readEwah(own.link, width);
  const replaced = readEwah(own.link, deleted.end);
  const merged: IndexEntry[] = [];
  let next = 0;
  shared.forEach((entry, position) => {
    const substitute = replaced.has(position) ? own.entries[next++] : undefined;
    if (deleted.has(position)) return;
    merged.push(substitute === undefined ? entry : { ...substitute, path: entry.path });
  });
  return [...merged, ...own.entries.slice(next)];
}

/**
 * Reads an EWAH bitmap: its size in bits, its 64-bit words, the position of the last marker. A marker word counts the equal
 * words and the literal words that follow it.
 */
function readEwah(bytes: Buffer, from: number): { has(position: number): boolean; end: number } {
  const words = bytes.readUInt32BE(from + 4);
  const end = from + 8 + words * 8;
  const set = new Set<number>();
  let at = from + 8;
  let position = 0;
  while (at < end) {
    const marker = bytes.readBigUInt64BE(at);
    at += 8;
    const equal = Number((marker >> 1n) & 0xffffffffn) * 64;
    if (marker & 1n) for (let bit = 0; bit < equal; bit += 1) set.add(position + bit);
    position += equal;
    for (let literals = Number(marker >> 33n); literals > 0; literals -= 1) {
      const word = bytes.readBigUInt64BE(at);
      at += 8;
      for (let bit = 0; bit < 64; bit += 1) if ((word >> BigInt(bit)) & 1n) set.add(position + bit);
      position += 64;
    }
  }
  return { has: (wanted) => set.has(wanted), end: end + 4 };
}
