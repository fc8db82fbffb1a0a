import { constants } from "node:os";
import process from "node:process";
import type { StopController } from "../../run/stop-controller.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Listens to the signals that end a program.
 * @param handle gets the signal, and the exit code of a program ended by it
 * @returns a function that removes the handlers
 */
export function onSignals(handle: (signal: (typeof SIGNALS)[number], code: number) => void): () => void {
  const handlers = SIGNALS.map((signal) => ({ signal, run: () => handle(signal, 128 + constants.signals[signal]) }));
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
  return onSignals((signal) => stops.request(signal));
}
