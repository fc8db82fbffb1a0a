import type { Writable } from "node:stream";

/** A stream with writes that do not wait, and a way to wait for all of them. */
export type Output = {
  write(text: string): void;
  /** Resolves when everything has been sent or the reader is gone: a process that exits earlier loses the rest. */
  drained(): Promise<void>;
  /** The error of the first failed write; null if none failed. */
  failure(): Error | null;
};

/**
 * Counts pending writes: with a slow reader (a pager, a script) most output is still in this process.
 * @param stream called on the first write: the first access to a standard stream costs several ms
 */
export function createOutput(stream: () => Writable): Output {
  let pending = 0;
  let waiting: (() => void)[] = [];
  let failure: Error | null = null;
  let opened: Writable | null = null;
  /** Whoever reads may go away: that is no end of the process. */
  const open = () => stream().on("error", () => {});
  const sent = (error?: Error | null) => {
    failure ??= error ?? null;
    pending -= 1;
    if (pending > 0) return;
    for (const wake of waiting) wake();
    waiting = [];
  };
  return {
    write(text) {
      pending += 1;
      // The callback also runs when the stream breaks. It is the only reliable sign of a full stream in every runtime.
      opened ??= open();
      opened.write(text, sent);
    },
    drained: () => (pending === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    failure: () => failure,
  };
}
