import { constants } from "node:os";
import process from "node:process";
import { isHangUpIgnored } from "../../effects/terminal/hang-up.ts";
import type { StopController } from "../../run/stop-controller.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
type Signal = (typeof SIGNALS)[number];
type Handle = (signal: Signal, code: number) => void;

/**
 * Listens to the signals that end a program.
 * @param handle gets the signal, and the exit code of a program ended by it
 * @returns a function that removes the handlers
 */
export function onSignals(handle: Handle): () => void {
  return on(SIGNALS, handle);
}

/** The same for work that needs no terminal: under `nohup` it goes on when that closes. */
function onStops(handle: Handle): () => void {
  return on(isHangUpIgnored() ? SIGNALS.filter((signal) => signal !== "SIGHUP") : SIGNALS, handle);
}

function on(signals: readonly Signal[], handle: Handle): () => void {
  const handlers = signals.map((signal) => ({ signal, run: () => handle(signal, 128 + constants.signals[signal]) }));
  for (const { signal, run } of handlers) process.on(signal, run);
  return () => {
    for (const { signal, run } of handlers) process.off(signal, run);
  };
}

/**
 * Turns this process's signals into stops of the run.
 * @returns a function that removes the handlers
 */
export function stopOnSignals(stops: StopController): () => void {
  return onStops((signal) => stops.request(signal));
}

/** Ends one work with the other: what git does, with the run or whatever comes before it. */
export function endWith(stop: AbortController, signal: AbortSignal): void {
  signal.addEventListener("abort", () => stop.abort(), { once: true });
}

/**
 * Does work that a signal to end this program cuts short.
 * @returns what it came to; the exit code if a signal ended it
 * @throws whatever the work throws by itself
 */
export async function untilStopped<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | number> {
  const stop = new AbortController();
  let code = 0;
  const release = onStops((_, exit) => {
    code = exit;
    stop.abort();
  });
  try {
    return await work(stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return code;
    throw error;
  } finally {
    release();
  }
}

/** @returns what comes, for something that is only good to know; null if a signal to end this program comes first, which does no more */
export async function unlessStopped<T>(what: Promise<T>): Promise<T | null> {
  const { promise: stopped, resolve } = Promise.withResolvers<null>();
  const release = onStops(() => resolve(null));
  try {
    return await Promise.race([what, stopped]);
  } finally {
    release();
  }
}
