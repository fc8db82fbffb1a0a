import { isClosingReset, isInterruptedByEnd } from "../decide/end-of-run.ts";
import type { SessionResetReason } from "../decide/session.ts";
import type { EventOf, RalphEvent } from "../journal/event.ts";
import { reduce } from "../journal/reduce.ts";
import { initialState, type State } from "../journal/state.ts";
import type { Settings } from "../settings/settings.ts";
import { recordedSettings } from "./changed-settings.ts";
import { noTally, type Tally, tallyWith } from "./course.ts";
import type { RunEnd } from "./what-if-types.ts";

/** The recorded run up to an event: its state, and what a comparison has to know of how it got there. */
export type Recorded = {
  state: State;
  settings: Settings;
  last: RalphEvent;
  tally: Tally;
  end: RunEnd | null;
  /** Before the newest call: what it led to is no longer exact if it had been ended at another time. */
  beforeCall: { state: State; at: string } | null;
  /** The decision to end the run, which some events may follow before its end is recorded; `from` in epoch ms. */
  closing: { state: State; from: number; event: RalphEvent } | null;
  /** The decision about the next iteration was already seen: it reset the session first. */
  isDropped: boolean;
  runsGatesFirst: boolean;
  /** The first gate after the newest answer. */
  firstGate: RalphEvent | null;
};

/** An event, and the record before it. */
export type Here<E extends RalphEvent = RalphEvent> = { recorded: Recorded; event: E };

/** Resets that a decision brings. */
const DROPS: ReadonlySet<SessionResetReason> = new Set(["session_expired", "session_renewed", "session_idle"]);

/** The record of a run with its first event. */
export function beginRecord(event: EventOf<"run_started">): Recorded {
  return {
    state: reduce(initialState(""), event),
    settings: recordedSettings(event.settings),
    last: event,
    tally: noTally,
    end: null,
    beforeCall: null,
    closing: null,
    isDropped: false,
    runsGatesFirst: false,
    firstGate: null,
  };
}

/** The record with one more event. */
export function recordedWith(recorded: Recorded, event: RalphEvent): Recorded {
  return {
    ...recorded,
    ...noticed(recorded, event),
    closing: closingWith(recorded, event),
    state: reduce(recorded.state, event),
    last: event,
  };
}

function noticed(recorded: Recorded, event: RalphEvent): Partial<Recorded> {
  const beforeCall = { state: recorded.state, at: recorded.last.at };
  switch (event.type) {
    case "gate_started":
      return { runsGatesFirst: isBetween(recorded.state), firstGate: recorded.firstGate ?? event };
    case "wait_started":
      return { runsGatesFirst: false };
    case "look_started":
    case "review_started":
      return { runsGatesFirst: false, beforeCall };
    case "reset":
      return isDrop(event) ? { runsGatesFirst: false, isDropped: true } : {};
    case "iteration_started":
      return { runsGatesFirst: recorded.isDropped && recorded.runsGatesFirst, isDropped: false, beforeCall };
    case "agent_finished":
      return { firstGate: null };
    case "iteration_finished":
      return { tally: tallyWith(recorded.tally, event) };
    case "run_finished": {
      const { stop_reason, exit_code, sentence } = event;
      return { end: { stop_reason, exit_code, sentence } };
    }
    default:
      return {};
  }
}

function closingWith({ closing, state, last }: Recorded, event: RalphEvent): Recorded["closing"] {
  if (isClosing(event)) return closing ?? { state, from: Date.parse(last.at), event };
  return event.type === "note" ? closing : null;
}

/** Whether an event belongs to the end of a run. */
export function isClosing(event: RalphEvent): boolean {
  if (event.type === "iteration_interrupted") return isInterruptedByEnd(event.why);
  return event.type === "run_finished" || (event.type === "reset" && isClosingReset(event.reason));
}

/** Whether a decision about the next iteration brought this reset. */
export function isDrop({ reason }: EventOf<"reset">): boolean {
  return DROPS.has(reason);
}

/** Whether neither an iteration nor a call is open. */
export function isBetween({ open, call }: State): boolean {
  return open === null && call === null;
}
