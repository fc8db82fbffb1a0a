import { type WholeLines, wholeLinesOf } from "./whole-lines.ts";

const NEWLINE = 0x0a;

/** Bytes kept of one line; the rest of a longer line is dropped. */
export const LINE_CAP = 8 * 1024 * 1024;

export type LineSplitter = {
  /**
   * The lines that end within `chunk`, without their line ends (LF or CRLF).
   * @param whole those of the chunk, where somebody decoded them already
   */
  push(chunk: Buffer, whole?: WholeLines | null): string[];
  /** The last line, if the output did not end with a line end. */
  end(): string[];
};

/**
 * Splits a stream of UTF-8 bytes into lines, wherever its chunks end. Whole lines of a chunk are decoded together; a line that spans chunks is
 * joined at its end.
 * @param cap bytes kept of one line
 */
export function createLineSplitter(cap = LINE_CAP): LineSplitter {
  let parts: Buffer[] = [];
  let bufferedBytes = 0;

  const buffer = (part: Buffer) => {
    const kept = part.subarray(0, Math.min(part.length, cap + 1 - bufferedBytes));
    if (kept.length === 0) return;
    // A copy, because the reader may reuse the chunk's buffer.
    parts.push(Buffer.from(kept));
    bufferedBytes += kept.length;
  };
  const flush = (): string => {
    const line = decodeLine(Buffer.concat(parts, bufferedBytes), cap);
    parts = [];
    bufferedBytes = 0;
    return line;
  };

  return {
    push(chunk, whole = wholeLinesOf(chunk)) {
      const first = chunk.indexOf(NEWLINE);
      if (first === -1) {
        buffer(chunk);
        return [];
      }
      buffer(chunk.subarray(0, first));
      const line = flush();
      if (whole === null) {
        buffer(chunk.subarray(first + 1));
        return [line];
      }
      buffer(chunk.subarray(whole.to));
      return [line, ...linesOf(chunk, whole, cap)];
    },
    end: () => (bufferedBytes > 0 ? [flush()] : []),
  };
}

/** A line end is never part of a longer UTF-8 sequence, so no character is cut. */
function linesOf(chunk: Buffer, { from, to, texts }: WholeLines, cap: number): string[] {
  if (to - from > cap) return decodeOneByOne(chunk.subarray(from, to - 1), cap);
  return texts.flatMap((text) => {
    const lines = text.split("\n");
    return text.includes("\r") ? lines.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line)) : lines;
  });
}

function decodeOneByOne(bytes: Buffer, cap: number): string[] {
  const lines: string[] = [];
  for (let start = 0; start <= bytes.length; ) {
    const found = bytes.indexOf(NEWLINE, start);
    const end = found === -1 ? bytes.length : found;
    lines.push(decodeLine(bytes.subarray(start, end), cap));
    start = end + 1;
  }
  return lines;
}

function decodeLine(bytes: Buffer, cap: number): string {
  if (bytes.length > cap) return bytes.toString("utf8", 0, characterStart(bytes, cap));
  const end = bytes[bytes.length - 1] === 0x0d ? bytes.length - 1 : bytes.length;
  return bytes.toString("utf8", 0, end);
}

/** The last character boundary at or before `at`. */
function characterStart(bytes: Buffer, at: number): number {
  let start = at;
  while (start > 0 && at - start < 4 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start -= 1;
  return start;
}
