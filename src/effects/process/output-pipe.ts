import type { Readable } from "node:stream";
import { nap } from "../clock.ts";

/** When a pipe of a process that is gone is given up: ms without a byte, ms in all, bytes (a pipe holds 1 MB at most). */
const QUIET_MS = 200;
const LONGEST_MS = 2000;
const MOST_BYTES = 16 * 1024 * 1024;

export type OutputPipe = {
  /** Settles when the pipe is closed by all who hold it, or given up; rejects if `take` threw. */
  done: Promise<void>;
  /**
   * After the exit: takes what the pipe still holds, then closes it. A child that keeps the other end stalls nothing.
   */
  drain(): Promise<void>;
  /** Closes it, whatever it still holds. */
  close(): void;
};

/** Reads a pipe to its end, chunk by chunk: none is asked for before `take` has returned. */
export function readPipe(stream: Readable, take: (chunk: Buffer) => void): OutputPipe {
  let lastChunk = 0;
  let bytes = 0;
  let limit = Number.POSITIVE_INFINITY;
  let closed = false;
  const read = async () => {
    let thrown: { error: unknown } | null = null;
    try {
      for await (const chunk of stream) {
        try {
          take(chunk);
        } catch (error) {
          thrown = { error };
          break;
        }
        lastChunk = performance.now();
        bytes += chunk.length;
        if (bytes > limit) break;
      }
    } catch {
      // The pipe broke or was given up: what came is all there is.
    }
    closed = true;
    if (thrown !== null) throw thrown.error;
  };
  const done = read();
  // Who calls asks for the outcome at the end: until then a failure must not count as unhandled.
  done.catch(() => {});

  return {
    done,
    async drain() {
      const start = performance.now();
      limit = bytes + MOST_BYTES;
      const isQuiet = () => performance.now() - Math.max(lastChunk, start) >= QUIET_MS;
      while (!closed && !isQuiet() && performance.now() - start < LONGEST_MS) {
        await Promise.race([done.catch(() => {}), nap(QUIET_MS / 4)]);
      }
      stream.destroy();
    },
    close() {
      stream.destroy();
    },
  };
}
