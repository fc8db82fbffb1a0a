/** Takes one change of a file back, whatever came after it: a merge of three texts. */
import { diff3Merge } from "node-diff3";

/** A file at one moment: git's mode, and its bytes; null for none. */
export type FileState = { mode: number; bytes: Uint8Array } | null;

export type TakenBack = { file: FileState } | { conflict: string };

/** The merge takes time with the square of equal lines. */
const MOST_LINES = 10_000;
const REGULAR_KINDS = 0o100000;

/**
 * @param now the file as it is
 * @param change what it was before and after the change that is taken back
 * @returns the file without that change, or what stands in the way
 */
export function takeBack(now: FileState, { before, after }: { before: FileState; after: FileState }): TakenBack {
  if (isSame(now, after) || isSame(now, before)) return { file: before };
  if (now === null) return { conflict: "it was deleted since" };
  if (after === null) return { conflict: "it was made anew since" };
  if (before === null) return { conflict: "it was new then, and was changed since" };
  const mode = now.mode === after.mode ? before.mode : now.mode;
  if (isSameBytes(now, after)) return { file: { mode, bytes: before.bytes } };
  if (isSameBytes(before, after)) return { file: { mode, bytes: now.bytes } };
  if (![now, before, after].every(isText)) return { conflict: "it is no text, and was changed since" };
  // One character a byte, so that each byte comes back as it was.
  const [ours, base, theirs] = [now, after, before].map(({ bytes }) => linesOf(bytes)) as [
    string[],
    string[],
    string[],
  ];
  if (Math.max(ours.length, base.length, theirs.length) > MOST_LINES)
    return { conflict: `it has more than ${MOST_LINES} lines, and was changed since` };
  const lines: string[] = [];
  for (const region of diff3Merge(ours, base, theirs, { excludeFalseConflicts: true })) {
    if (region.conflict !== undefined)
      return { conflict: `its ${lineRange(region.conflict.aIndex, region.conflict.a.length)} changed since` };
    lines.push(...(region.ok ?? []));
  }
  return { file: { mode, bytes: Buffer.from(lines.join("\n"), "latin1") } };
}

export function isSame(a: FileState, b: FileState): boolean {
  return a === b || (a !== null && b !== null && a.mode === b.mode && isSameBytes(a, b));
}

function isSameBytes(a: NonNullable<FileState>, b: NonNullable<FileState>): boolean {
  return Buffer.compare(a.bytes, b.bytes) === 0;
}

function isText({ mode, bytes }: NonNullable<FileState>): boolean {
  return (mode & 0o170000) === REGULAR_KINDS && !bytes.includes(0);
}

function linesOf(bytes: Uint8Array): string[] {
  return Buffer.from(bytes).toString("latin1").split("\n");
}

function lineRange(from: number, count: number): string {
  return count <= 1 ? `line ${from + 1}` : `lines ${from + 1} to ${from + count}`;
}
