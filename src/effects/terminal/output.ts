import type { Writable } from "node:stream";

/** A stream that is written to without waiting, and waited for where that matters. */
export type Output = {
  write(text: string): void;
  /** Resolves when all of it has gone out, or nobody reads any more: a process that exits earlier loses the rest. */
  drained(): Promise<void>;
  /** What the first write that failed met; null while none has. */
  failure(): Error | null;
};

/**
 * Counts what is on its way: a reader that is slower than we are (a pager, a script) leaves most of it in this process.
 * @param stream asked for with the first write, since the first touch of a standard stream costs several ms
 */
export function createOutput(stream: () => Writable): Output {
  let pending = 0;
  let waiting: (() => void)[] = [];
  let failure: Error | null = null;
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
      // Called as well when the stream breaks. Whether it is full is told reliably by nothing else in every runtime.
      stream().write(text, sent);
    },
    drained: () => (pending === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    failure: () => failure,
  };
}
