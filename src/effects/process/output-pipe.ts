import type { Readable } from "node:stream";
import { nap } from "../clock.ts";

/** Limits for draining a dead process's pipe: ms without a byte, ms in total, bytes (a pipe holds at most 1 MB). */
const QUIET_MS = 200;
const MAX_DRAIN_MS = 2000;
const MAX_DRAIN_BYTES = 16 * 1024 * 1024;

export type OutputPipe = {
  /** Settles when all writers closed the pipe or draining gave up; rejects if `take` threw. */
  done: Promise<void>;
  /**
   * After the process exits: reads what the pipe still holds, then closes it. A child that keeps the other end open delays
   * nothing.
   */
  drain(): Promise<void>;
  /** Closes it, whatever it still holds. */
  close(): void;
};

/**
 * Reads a pipe to its end, chunk by chunk; asks for the next chunk only after `take` has returned.
 * @param take must copy what it keeps: a chunk's memory is given back after it
 */
export function readPipe(stream: Readable, take: (chunk: Buffer) => void): OutputPipe {
  let lastChunk = 0;
  let bytes = 0;
  let limit = Number.POSITIVE_INFINITY;
  let closed = false;
  // Not `for await`, which costs an iteration 3 % of its CPU.
  const done = new Promise<void>((resolve, reject) => {
    stream.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      try {
        take(chunk);
        giveBack(chunk);
      } catch (error) {
        reject(error);
        stream.destroy();
        return;
      }
      lastChunk = performance.now();
      if (bytes > limit) stream.destroy();
    });
    for (const last of ["end", "error", "close"])
      stream.on(last, () => {
        // A pipe that broke or was given up has no more output either.
        closed = true;
        resolve();
      });
  });
  // The caller awaits `done` only at the end; until then a failure must not count as unhandled.
  done.catch(() => {});

  return {
    done,
    async drain() {
      const start = performance.now();
      limit = bytes + MAX_DRAIN_BYTES;
      const isQuiet = () => performance.now() - Math.max(lastChunk, start) >= QUIET_MS;
      while (!closed && !isQuiet() && performance.now() - start < MAX_DRAIN_MS) {
        await Promise.race([done.catch(() => {}), nap(QUIET_MS / 4)]);
      }
      stream.destroy();
    },
    close() {
      stream.destroy();
    },
  };
}

/**
 * The collector comes only after tens of MB, and then all of it is new memory: in a flood that cost 10 MB and a twentieth of the CPU. A chunk that
 * is a part of a larger buffer is left alone: the rest may be in use.
 */
function giveBack({ buffer, byteLength }: Buffer): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
