import { closeSync, fstatSync, readSync, statSync } from "node:fs";
import { openRegular } from "../files/regular-file.ts";

/**
 * The beginning and the end of a text file, without overlap; both empty if it is unreadable. Drops characters that a cut
 * splits.
 * @param max limits in bytes; `from` leaves out what stands before that place
 */
export function outputEnds(
  path: string,
  max: { head: number; tail: number; from?: number },
): { head: string; tail: string } {
  let fd: number;
  try {
    fd = openRegular(path, "read");
  } catch {
    return { head: "", tail: "" };
  }
  try {
    const { from = 0 } = max;
    const size = Math.max(from, fstatSync(fd).size);
    const tail = Math.max(from + max.head, size - max.tail);
    return {
      head: decoded(readAt(fd, from, Math.min(size - from, max.head))),
      tail: tail < size ? decoded(readAt(fd, tail, size - tail)) : "",
    };
  } finally {
    closeSync(fd);
  }
}

/** Of a regular file, in bytes; 0 if there is none. */
export function fileSize(path: string): number {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isFile() === true ? stat.size : 0;
  } catch {
    return 0;
  }
}

function readAt(fd: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, from));
}

function decoded(bytes: Buffer): string {
  return bytes.toString("utf8").replace(/^\uFFFD{1,3}|\uFFFD{1,3}$/g, "");
}
