import process from "node:process";
import { hangUpOnEnd } from "./hang-up.ts";

const CTRL_Z = "\u001a";

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
  const takeOver = () => {
    input.setRawMode(true);
    input.resume();
  };
  /** Ctrl+Z, of which a terminal that is read key by key makes no signal; it is taken over again when the shell goes on. */
  const suspend = () => {
    giveBack(input);
    process.kill(0, "SIGTSTP");
    takeOver();
  };
  const hear = (chunk: Buffer | string) => {
    const key = chunk.toString();
    if (key === CTRL_Z && process.platform !== "win32") {
      suspend();
      return;
    }
    const resolve = waiting;
    waiting = null;
    if (resolve === null) listener?.(key);
    else resolve(key);
  };
  const close = () => {
    input.off("data", hear);
    unwatch();
    process.off("SIGCONT", takeOver);
    process.off("exit", close);
    giveBack(input);
  };
  const unwatch = hangUpOnEnd(input);
  takeOver();
  input.on("data", hear);
  if (process.platform !== "win32") process.on("SIGCONT", takeOver);
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
