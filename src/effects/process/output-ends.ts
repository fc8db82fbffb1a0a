import { closeSync, fstatSync, readSync } from "node:fs";
import { openRegular } from "../files/regular-file.ts";

/**
 * The beginning and the end of a text file, without overlap; both empty if it is unreadable. Drops characters that a cut
 * splits.
 * @param max limits in bytes
 */
export function outputEnds(path: string, max: { head: number; tail: number }): { head: string; tail: string } {
  let fd: number;
  try {
    fd = openRegular(path, "read");
  } catch {
    return { head: "", tail: "" };
  }
  try {
    const { size } = fstatSync(fd);
    const from = Math.max(max.head, size - max.tail);
    return {
      head: decoded(readAt(fd, 0, Math.min(size, max.head))),
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
