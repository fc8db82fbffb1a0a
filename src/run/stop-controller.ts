import type { StopBy, StopHow } from "../core/journal/event.ts";

/** The stops that a run was asked for, as signals. */
export type StopSignals = {
  /** Ends the wait under way. */
  waitSignal: AbortSignal;
  /** Ends the agent at once. If the stop could not be recorded, its reason is the error. */
  killSignal: AbortSignal;
};

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
 * @param onRequest records the request; called before the signals abort. What it throws becomes the reason of `killSignal`:
 * a stop that cannot be recorded still ends the agent, and with it the run.
 */
export function createStopController(onRequest: (how: StopHow, by: StopBy) => void): StopController {
  let wait = new AbortController();
  const kill = new AbortController();
  let asked = false;
  const endWait = () => {
    const ended = wait;
    wait = new AbortController();
    ended.abort();
  };
  /** The first Ctrl+C lets the iteration end, a second one does not; nor do the signals of a machine. */
  const usualHow = (by: StopBy): StopHow => {
    if (by === "user") return "after_iteration";
    return by === "SIGINT" && !asked ? "after_iteration" : "now";
  };
  return {
    /** Each wait has a signal of its own, since a stop can be withdrawn. */
    get waitSignal() {
      return wait.signal;
    },
    killSignal: kill.signal,
    endWait,
    request(by, how = usualHow(by)) {
      if (kill.signal.aborted) return;
      asked = true;
      try {
        onRequest(how, by);
      } catch (error) {
        kill.abort(error);
      }
      endWait();
      if (how === "now") kill.abort();
    },
    withdraw() {
      if (kill.signal.aborted) return false;
      asked = false;
      return true;
    },
  };
}
