/** Bytes and lines of stderr kept for a result. */
const TAIL_BYTES = 4096;
const TAIL_LINES = 20;

export type LineTail = {
  push(chunk: Buffer): void;
  /** The last lines, at most 20 and 4 kB in all. */
  lines(): string[];
};

/** Keeps the end of a byte stream, in constant memory. */
export function createLineTail(): LineTail {
  let tail: Buffer = Buffer.alloc(0);
  return {
    push(chunk) {
      const joined = chunk.length >= TAIL_BYTES ? chunk : Buffer.concat([tail, chunk]);
      // A copy, so the tail does not keep the whole chunk in memory.
      tail = Buffer.from(joined.subarray(-TAIL_BYTES));
    },
    lines() {
      const lines = tail.subarray(firstCharacterStart(tail)).toString("utf8").split(/\r?\n/);
      if (lines.at(-1) === "") lines.pop();
      return lines.slice(-TAIL_LINES);
    },
  };
}

/** Skips the rest of a character that the limit cut in two. */
function firstCharacterStart(bytes: Buffer): number {
  let start = 0;
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return start;
}
