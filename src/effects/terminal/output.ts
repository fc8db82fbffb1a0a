import { writeSync } from "node:fs";
import type { Writable } from "node:stream";
import { codeOf } from "../../core/system-error.ts";

/** A stream with writes that do not wait, and a way to wait for all of them. */
export type Output = {
  write(text: string): void;
  /** Resolves when everything has been sent or the reader is gone: a process that exits earlier loses the rest. */
  drained(): Promise<void>;
  /** The error of the first failed write; null if none failed. */
  failure(): Error | null;
};

/** What a pipe takes without its reader, on every system. */
const PIPE_BYTES = 16 * 1024;

/**
 * Counts pending writes: with a slow reader (a pager, a script) most output is still in this process.
 * @param stream called on the first write that needs it: the first access to a standard stream costs 8 ms
 * @param fd of the same, where it is no terminal: what fits into a pipe is written to it at once, and needs no stream
 */
export function createOutput(stream: () => Writable, fd: number | null = null): Output {
  let pending = 0;
  let waiting: (() => void)[] = [];
  let failure: Error | null = null;
  let opened: Writable | null = null;
  let room = fd === null ? 0 : PIPE_BYTES;
  /** Whoever reads may go away: that is no end of the process. */
  const open = () => stream().on("error", () => {});
  const sent = (error?: Error | null) => {
    failure ??= error ?? null;
    pending -= 1;
    if (pending > 0) return;
    for (const wake of waiting) wake();
    waiting = [];
  };
  /** @returns what is left for the stream */
  const writeAtOnce = (fd: number, text: string): string | Buffer => {
    const bytes = Buffer.from(text);
    if (bytes.length > room) return text;
    try {
      const written = writeSync(fd, bytes);
      room -= written;
      return bytes.subarray(written);
    } catch (error) {
      if (codeOf(error) === "EAGAIN") return text;
      failure ??= error as Error;
      return "";
    }
  };
  return {
    write(text) {
      const rest = fd === null || opened !== null ? text : writeAtOnce(fd, text);
      if (rest.length === 0) return;
      pending += 1;
      // The callback also runs when the stream breaks. It is the only reliable sign of a full stream in every runtime.
      opened ??= open();
      opened.write(rest, sent);
    },
    drained: () => (pending === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    failure: () => failure,
  };
}
