import type { StopBy, StopHow } from "../core/event.ts";
import type { StopSignals } from "./deps.ts";

export type Stops = StopSignals & {
  /** Asks for a stop; a second Ctrl+C makes it an immediate one. */
  request(by: StopBy, how?: StopHow): void;
};

/**
 * Turns signals and requests into the run's stops (product.md, "Signals and processes").
 * @param onRequest records the request; called before the abort signals fire
 */
export function createStops(onRequest: (how: StopHow, by: StopBy) => void): Stops {
  const wait = new AbortController();
  const kill = new AbortController();
  let asked = false;
  return {
    wait: wait.signal,
    kill: kill.signal,
    request(by, how = by === "SIGINT" && !asked ? "after_iteration" : by === "user" ? "after_iteration" : "now") {
      if (kill.signal.aborted) return;
      asked = true;
      onRequest(how, by);
      wait.abort();
      if (how === "now") kill.abort();
    },
  };
}
