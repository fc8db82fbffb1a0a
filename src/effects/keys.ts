import process from "node:process";
import { hangUpWith } from "./hang-up.ts";

export type Keys = {
  /** The next key that is pressed. */
  next(): Promise<string>;
  /** Hears every key until `next` is asked for, or until the end. */
  onKey(hear: (key: string) => void): void;
  close(): void;
};

/** Keys of a terminal one by one, without Enter. The terminal is given back by `close`, and when the process exits. */
export function openKeys(input: NodeJS.ReadStream): Keys {
  let waiting: ((key: string) => void) | null = null;
  let listener: ((key: string) => void) | null = null;
  const hear = (chunk: Buffer | string) => {
    const key = chunk.toString();
    const resolve = waiting;
    waiting = null;
    if (resolve === null) listener?.(key);
    else resolve(key);
  };
  const close = () => {
    input.off("data", hear);
    unwatch();
    process.off("exit", close);
    giveBack(input);
  };
  const unwatch = hangUpWith(input);
  input.setRawMode(true);
  input.resume();
  input.on("data", hear);
  process.on("exit", close);
  return {
    next: () =>
      new Promise((resolve) => {
        waiting = resolve;
      }),
    onKey: (hearKey) => {
      listener = hearKey;
    },
    close,
  };
}

function giveBack(input: NodeJS.ReadStream): void {
  try {
    input.setRawMode(false);
    input.pause();
  } catch {
    // The terminal is gone: there is nothing to give back.
  }
}
