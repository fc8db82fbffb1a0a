import { writeSync } from "node:fs";
import process from "node:process";
import { isInForeground } from "./foreground.ts";
import { hangUpOnEnd } from "./hang-up.ts";
import type { Terminal } from "./screen.ts";
import { joinTyped } from "./typed-input.ts";

const CTRL_Z = "\u001a";
const CTRL_BACKSLASH = "\u001c";
const PASTE_ON = "\u001b[?2004h";
const PASTE_OFF = "\u001b[?2004l";
/** A job brought to the foreground while it runs gets no signal, so look this often. */
const LOOK_MS = 1000;
/** Where no shell can stop the process the kernel drops SIGTSTP: after this time without a stop, go on. */
const STOPPED_WITHIN_MS = 200;

export type Keys = {
  /** Receives what is typed or pasted; without a listener it is discarded. */
  onKey(listener: (typed: string) => void): void;
  /** Whether keys are read: not in a background job, nor while suspended. */
  isReading(): boolean;
  close(): void;
};

export type KeyOptions = {
  /** How many ms to wait for the rest of incomplete input; 0 if it is complete. */
  pendingMs(text: string): number;
  /** Called before Ctrl+Z suspends the process: remove what is drawn. */
  onSuspend?(): void;
  /** Called when the process goes on, or its job came to the foreground: draw again. */
  onResume?(): void;
};

/**
 * Keys of a terminal, without Enter and without their echo. A background job leaves the terminal alone until it is in the
 * foreground. `close` and the exit of the process restore the terminal; Ctrl+Z and Ctrl+\ do what they do elsewhere.
 */
export function openKeys({ input, output }: Terminal, { pendingMs, onSuspend, onResume }: KeyOptions): Keys {
  let listener: ((typed: string) => void) | null = null;
  let isReading = false;
  let suspended: ReturnType<typeof setTimeout> | null = null;

  const enter = () => {
    input.setRawMode(true);
    // Not before: a listener makes a stream read.
    input.off("data", typed.take).on("data", typed.take);
    input.resume();
    output.write(PASTE_ON);
    isReading = true;
  };
  const leave = () => {
    if (!isReading) return;
    isReading = false;
    try {
      input.setRawMode(false);
      input.pause();
      writeSync(output.fd, PASTE_OFF);
    } catch {
      // The terminal is gone: nothing to restore.
    }
  };
  const look = () => {
    if (isReading || suspended !== null || !isInForeground()) return;
    enter();
    onResume?.();
  };
  /** A stop by the shell, whoever asked for it, leaves the terminal in the shell's mode. */
  const goOn = () => {
    if (suspended !== null) clearTimeout(suspended);
    suspended = null;
    isReading = isInForeground();
    if (isReading) enter();
    else input.pause();
    onResume?.();
  };
  /** After the other listeners of SIGCONT, which forget what was drawn before. */
  const goOnSoon = () => void setImmediate(goOn);
  /** In raw mode a terminal sends no signal for Ctrl+Z, so suspend here; raw mode returns with the shell's `fg`. */
  const suspend = () => {
    onSuspend?.();
    leave();
    suspended = setTimeout(goOnSoon, STOPPED_WITHIN_MS);
    process.kill(0, "SIGTSTP");
  };
  const typed = joinTyped((text) => {
    const last = process.platform === "win32" ? "" : text.at(-1);
    if (last === CTRL_BACKSLASH) {
      leave();
      process.kill(0, "SIGQUIT");
    }
    listener?.(text);
    if (last === CTRL_Z) suspend();
  }, pendingMs);
  const close = () => {
    input.off("data", typed.take);
    if (watch !== null) clearInterval(watch);
    if (suspended !== null) clearTimeout(suspended);
    suspended = null;
    unwatch();
    process.off("SIGCONT", goOnSoon);
    process.off("exit", close);
    leave();
  };
  const unwatch = hangUpOnEnd(input);
  if (isInForeground()) enter();
  if (process.platform !== "win32") process.on("SIGCONT", goOnSoon);
  // Elsewhere a look starts a program, too much for each second: there a job reads keys after its next stop.
  const watch = process.platform === "linux" ? setInterval(look, LOOK_MS) : null;
  watch?.unref();
  process.on("exit", close);
  return {
    onKey: (newListener) => {
      listener = newListener;
    },
    isReading: () => isReading,
    close,
  };
}

/** Does what Ctrl+C does in a terminal that is not in raw mode: it interrupts the whole foreground job. */
export function interruptJob(): void {
  // Windows has no jobs, and ends a process that is sent SIGINT.
  if (process.platform === "win32") process.emit("SIGINT", "SIGINT");
  else process.kill(0, "SIGINT");
}
