import process from "node:process";
import type { Stops } from "../run/stops.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Turns this process's signals into stops of the run. @returns what takes the handlers away again */
export function stopOnSignals(stops: Stops): () => void {
  const handlers = SIGNALS.map((signal) => ({ signal, handle: () => stops.request(signal) }));
  for (const { signal, handle } of handlers) process.on(signal, handle);
  return () => {
    for (const { signal, handle } of handlers) process.off(signal, handle);
  };
}
