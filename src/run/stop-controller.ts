import type { StopBy, StopHow } from "../core/journal/event.ts";

/** The requested stops, as signals. */
export type StopSignals = {
  /** Ends the current wait. */
  waitSignal: AbortSignal;
  /** Ends the agent at once. If the stop could not be recorded, the abort reason is that error. */
  killSignal: AbortSignal;
};

export type StopController = StopSignals & {
  /** Requests a stop; a second Ctrl+C makes it immediate. */
  request(by: StopBy, how?: StopHow): void;
  /** Withdraws a stop after the iteration. Returns false if the agent is already being ended. */
  withdraw(): boolean;
  /** Ends the agent at once, and with it the run, which throws the error. */
  fail(error: Error): void;
  /** Ends the current wait; the loop then decides again. */
  endWait(): void;
};

/**
 * Turns signals and requests into the run's stops (product.md "Signals and processes").
 * @param onRequest records the request, before the signals abort. If it throws, its error becomes the reason of
 * `killSignal`: a stop that cannot be recorded still ends the agent, and with it the run.
 */
export function createStopController(onRequest: (how: StopHow, by: StopBy) => void): StopController {
  let wait = new AbortController();
  const kill = new AbortController();
  let requested = false;
  const endWait = () => {
    const ended = wait;
    wait = new AbortController();
    ended.abort();
  };
  /** Only the first Ctrl+C lets the iteration finish. A second one, SIGTERM and SIGHUP stop at once. */
  const usualHow = (by: StopBy): StopHow => {
    if (by === "user") return "after_iteration";
    return by === "SIGINT" && !requested ? "after_iteration" : "now";
  };
  return {
    /** Each wait has a signal of its own, because a stop can be withdrawn. */
    get waitSignal() {
      return wait.signal;
    },
    killSignal: kill.signal,
    endWait,
    request(by, how = usualHow(by)) {
      if (kill.signal.aborted) return;
      requested = true;
      try {
        onRequest(how, by);
      } catch (error) {
        kill.abort(error);
      }
      endWait();
      if (how === "now") kill.abort();
    },
    fail(error) {
      kill.abort(error);
      endWait();
    },
    withdraw() {
      if (kill.signal.aborted) return false;
      requested = false;
      return true;
    },
  };
}
