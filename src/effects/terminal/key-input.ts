import process from "node:process";
import { hangUpOnEnd } from "./hang-up.ts";

const CTRL_Z = "\u001a";

export type Keys = {
  /** The next key pressed. */
  next(): Promise<string>;
  /** Receives every key except those that `next` waits for. */
  onKey(listener: (key: string) => void): void;
  close(): void;
};

/** Keys of a terminal one by one, without Enter. `close` and the exit of the process restore the terminal. */
export function openKeys(input: NodeJS.ReadStream): Keys {
  let waiting: ((key: string) => void) | null = null;
  let listener: ((key: string) => void) | null = null;
  const enterRawMode = () => {
    input.setRawMode(true);
    input.resume();
  };
  /** In raw mode a terminal sends no signal for Ctrl+Z, so suspend here; raw mode returns with the shell's `fg`. */
  const suspend = () => {
    restoreTerminal(input);
    process.kill(0, "SIGTSTP");
    enterRawMode();
  };
  const onData = (chunk: Buffer | string) => {
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
    input.off("data", onData);
    unwatch();
    process.off("SIGCONT", enterRawMode);
    process.off("exit", close);
    restoreTerminal(input);
  };
  const unwatch = hangUpOnEnd(input);
  enterRawMode();
  input.on("data", onData);
  if (process.platform !== "win32") process.on("SIGCONT", enterRawMode);
  process.on("exit", close);
  return {
    next: () =>
      new Promise((resolve) => {
        waiting = resolve;
      }),
    onKey: (newListener) => {
      listener = newListener;
    },
    close,
  };
}

function restoreTerminal(input: NodeJS.ReadStream): void {
  try {
    input.setRawMode(false);
    input.pause();
  } catch {
    // The terminal is gone: nothing to restore.
  }
}
