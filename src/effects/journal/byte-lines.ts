import { fstatSync, readSync } from "node:fs";

const CHUNK_BYTES = 1 << 20;
const SMALL_BYTES = 1 << 12;
const NEWLINE = 0x0a;

/** The line that was read last, without its line end: bytes from `start` to before `end`, until the next one is read. */
export type ByteLines = {
  /** Moves to the next line; false if there is none. Bytes after the last newline (a torn tail) are no line. */
  next(): boolean;
  bytes: Buffer;
  start: number;
  end: number;
  /** Where it begins in the file, and where the line after it does. */
  begins: number;
  after: number;
  /** It is longer than asked for, and therefore not in memory. */
  isTooLong: boolean;
};

/**
 * Reads lines without making an object of each: of a long journal, most are left out.
 * @param most bytes of a line that is kept
 */
export function byteLines(fd: number, from: number, most: number): ByteLines {
  // A follower reads a few lines at a time; allocating a large buffer would cost more than reading them.
  const left = fstatSync(fd).size - from;
  const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(SMALL_BYTES, left)));
  let chunk = buffer.subarray(0, 0);
  /** For lines that began in an earlier chunk. */
  let long = chunk;
  /** Of the chunk in the file, and of what is not yet a line in the chunk. */
  let position = from;
  let rest = 0;
  const fill = (): boolean => {
    position += chunk.length;
    const read = readSync(fd, buffer, 0, buffer.length, position);
    chunk = buffer.subarray(0, read);
    rest = 0;
    return read > 0;
  };
  const line: ByteLines = {
    next() {
      line.begins = line.after;
      let end = chunk.indexOf(NEWLINE, rest);
      while (end === -1) {
        if (!fill()) return false;
        end = chunk.indexOf(NEWLINE);
      }
      line.after = position + end + 1;
      const length = position + end - line.begins;
      line.isTooLong = length > most;
      if (line.begins >= position) {
        line.bytes = chunk;
        line.start = rest;
        line.end = end;
      } else {
        // Reading it again costs less than keeping pieces of every line that may be long.
        const kept = line.isTooLong ? 0 : length;
        if (long.length < kept) long = Buffer.allocUnsafe(kept + kept / 4);
        line.bytes = long.subarray(0, readInto(long, fd, { from: line.begins, length: kept }));
        line.start = 0;
        line.end = line.bytes.length;
      }
      rest = end + 1;
      return true;
    },
    bytes: chunk,
    ...{ start: 0, end: 0, begins: from, after: from },
    isTooLong: false,
  };
  return line;
}

/** @returns how many; fewer if the file became shorter meanwhile */
function readInto(bytes: Buffer, fd: number, { from, length }: { from: number; length: number }): number {
  let read = 0;
  while (read < length) {
    const more = readSync(fd, bytes, read, length - read, from + read);
    if (more === 0) break;
    read += more;
  }
  return read;
}
