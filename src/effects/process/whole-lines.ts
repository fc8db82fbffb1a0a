const NEWLINE = 0x0a;

/** The lines that begin and end within a chunk of output, but for its first: the bytes `from` … `to`, and as text without the last line end. */
export type WholeLines = { from: number; to: number; text: string };

/** Decoded once for all who read them: most of a flood is in such lines. Null if there are none. */
export function wholeLinesOf(chunk: Buffer): WholeLines | null {
  const from = chunk.indexOf(NEWLINE) + 1;
  const to = chunk.lastIndexOf(NEWLINE) + 1;
  return from < to ? { from, to, text: chunk.toString("utf8", from, to - 1) } : null;
}
