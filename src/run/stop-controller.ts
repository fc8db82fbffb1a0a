import type { StopBy, StopHow } from "../core/journal/event.ts";
import type { StopSignals } from "./deps.ts";

export type StopController = StopSignals & {
  /** Asks for a stop; a second Ctrl+C makes it an immediate one. */
  request(by: StopBy, how?: StopHow): void;
  /** Takes back a stop that was to come after the iteration; false if it is too late for that. */
  withdraw(): boolean;
  /** Ends the wait under way, so that it is decided anew. */
  endWait(): void;
};

/**
 * Turns signals and requests into the run's stops (product.md, "Signals and processes").
 * @param onRequest records the request; called before the abort signals fire. What it throws is the reason of `kill` then:
 * a stop that cannot be recorded ends the agent all the same, and with it the run.
 */
export function createStopController(onRequest: (how: StopHow, by: StopBy) => void): StopController {
  let wait = new AbortController();
  const kill = new AbortController();
  let asked = false;
  const wake = () => {
    const woken = wait;
    wait = new AbortController();
    woken.abort();
  };
  /** The first Ctrl+C lets the iteration end, a second one does not; nor do the signals of a machine. */
  const usualHow = (by: StopBy): StopHow => {
    if (by === "user") return "after_iteration";
    return by === "SIGINT" && !asked ? "after_iteration" : "now";
  };
  return {
    /** Of the wait that begins now: each has a signal of its own, since a stop can be withdrawn. */
    get wait() {
      return wait.signal;
    },
    kill: kill.signal,
    endWait: wake,
    request(by, how = usualHow(by)) {
      if (kill.signal.aborted) return;
      asked = true;
      try {
        onRequest(how, by);
      } catch (error) {
        kill.abort(error);
      }
      wake();
      if (how === "now") kill.abort();
    },
    withdraw() {
      if (kill.signal.aborted) return false;
      asked = false;
      return true;
    },
  };
}
