import { closeSync, readSync } from "node:fs";
import type { Readable } from "node:stream";
import { openRegular } from "../files/regular-file.ts";
import { createLineSplitter } from "../process/line-splitter.ts";
import { unreadable } from "../project/project-paths.ts";

const CHUNK = 256 * 1024;
/** Bytes kept of one line: an answer may be one long document. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

/**
 * The lines of a UTF-8 file without their line ends, in batches that end within one chunk; the file is never in memory as a
 * whole.
 * @param what names the file at the start of an error message
 * @throws RalphError `environment` with `hint` if the file is missing or cannot be read
 */
export function* fileLines(path: string, what: string, hint: string): Generator<string[], void> {
  const orThrow = <T>(action: () => T): T => {
    try {
      return action();
    } catch (cause) {
      throw unreadable(path, what, hint, cause);
    }
  };
  const splitter = createLineSplitter(MAX_LINE_BYTES);
  const chunk = Buffer.allocUnsafeSlow(CHUNK);
  const fd = orThrow(() => openRegular(path, "read"));
  try {
    for (;;) {
      const size = orThrow(() => readSync(fd, chunk, 0, CHUNK, null));
      if (size === 0) break;
      yield splitter.push(chunk.subarray(0, size));
    }
  } finally {
    closeSync(fd);
  }
  yield splitter.end();
}

/** The same for a stream of UTF-8 bytes such as stdin; reads nothing ahead of its consumer. */
export async function* streamLines(stream: Readable): AsyncGenerator<string[], void> {
  const splitter = createLineSplitter(MAX_LINE_BYTES);
  for await (const chunk of stream) yield splitter.push(Buffer.from(chunk));
  yield splitter.end();
}
