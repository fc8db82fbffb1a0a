const NEWLINE = 0x0a;

/**
 * Bytes that are decoded together. For each text of more than 16 kB the allocator takes new pages from the system, and gives them back: in one of
 * 180 kB for each chunk, a flood cost 10 MB and a twentieth of its CPU more.
 */
const TEXT_BYTES = 12_000;

/**
 * The lines that begin and end within a chunk of output, but for its first: the bytes `from` … `to`, and as texts of some lines each, without
 * the line end of its last.
 */
export type WholeLines = { from: number; to: number; texts: string[] };

/**
 * Decoded once for all who read them: most of a flood is in such lines. Null if there are none.
 * @param most bytes of one text; a longer line is one by itself
 */
export function wholeLinesOf(chunk: Buffer, most = TEXT_BYTES): WholeLines | null {
  const from = chunk.indexOf(NEWLINE) + 1;
  const to = chunk.lastIndexOf(NEWLINE) + 1;
  if (from >= to) return null;
  const texts: string[] = [];
  for (let start = from; start < to; ) {
    const end = endOfText(chunk, start, to, most);
    texts.push(chunk.toString("utf8", start, end - 1));
    start = end;
  }
  return { from, to, texts };
}

/** Behind the last line end that is in reach, or else behind the next. */
function endOfText(chunk: Buffer, start: number, to: number, most: number): number {
  if (to - start <= most) return to;
  const end = chunk.lastIndexOf(NEWLINE, start + most - 1) + 1;
  return end > start ? end : chunk.indexOf(NEWLINE, start) + 1;
}
