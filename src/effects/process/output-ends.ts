import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/**
 * The beginning of a text file, and the end of what that leaves out; both empty if it can't be read. Characters that a cut
 * goes through are left out.
 * @param most bytes
 */
export function outputEnds(path: string, most: { head: number; tail: number }): { head: string; tail: string } {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch {
    return { head: "", tail: "" };
  }
  try {
    const { size } = fstatSync(fd);
    const from = Math.max(most.head, size - most.tail);
    return {
      head: decoded(readAt(fd, 0, Math.min(size, most.head))),
      tail: from < size ? decoded(readAt(fd, from, size - from)) : "",
    };
  } finally {
    closeSync(fd);
  }
}

function readAt(fd: number, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(fd, bytes, 0, length, from));
}

function decoded(bytes: Buffer): string {
  return bytes.toString("utf8").replace(/^\uFFFD{1,3}|\uFFFD{1,3}$/g, "");
}
