import { gatePassed } from "../../core/decide/gate-rules.ts";
import type { RalphEvent } from "../../core/journal/event.ts";
import type { State } from "../../core/journal/state.ts";
import { STOP_REASONS } from "../../core/stop/stop-reasons.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { waitLine } from "../live/wait-line.ts";
import { count, duration } from "../text/figures.ts";

/** Something that the loop did, in one line. */
export type Activity = { at: string; tone: "good" | "bad" | "warn" | "quiet"; text: string };

/** What an event adds to the recent activity; the agent's own doings stand in the output instead. */
export function activityOf(event: RalphEvent, state: State, previous: State): Activity | null {
  const told = (tone: Activity["tone"], text: string): Activity => ({ at: event.at, tone, text });
  switch (event.type) {
    case "run_started":
      return told("quiet", `run ${event.run} began`);
    case "run_recovered":
      return told("warn", `recovered from run ${event.of_run}`);
    case "iteration_started":
      return event.call > 1 ? told("quiet", `iteration ${event.number}, call ${event.call}`) : null;
    case "iteration_finished": {
      const tone = event.outcome === "failed" ? "bad" : event.evidence.progress ? "good" : "warn";
      const breaker =
        state.breaker.state === previous.breaker.state ? "" : ` Breaker ${state.breaker.state.toUpperCase()}.`;
      return told(tone, `${event.iteration}: ${singleLine(event.verdict.sentence)}${breaker}`);
    }
    case "iteration_interrupted":
      return told("warn", `iteration ${event.number} was interrupted`);
    case "agent_limit":
      return told("warn", singleLine(event.message));
    case "gate_finished":
      return told(gatePassed(event) ? "good" : "bad", `gate ${singleLine(event.command)}, ${duration(event.ms)}`);
    case "import_started":
      return told(
        "quiet",
        event.missing.length === 0 ? `reading ${singleLine(event.document)}` : "asking for what was left out",
      );
    case "review_finished":
      return told("quiet", singleLine(event.sentence));
    case "wait_started":
      return told("warn", event.why === "paused" ? "paused" : waitLine(event.why, event.until, Date.parse(event.at)));
    case "said":
      return told("quiet", `for the next prompt: ${singleLine(event.text)}`);
    case "paused":
      return isWorking(previous) ? told("warn", "pausing after this iteration") : null;
    case "resumed":
      return told("quiet", "going on");
    case "bound_raised":
      return told("quiet", `${count(event.iterations, "more iteration")} allowed`);
    case "stop_requested":
      return told(
        "warn",
        event.how === "now" || !isWorking(previous) ? "stopping now" : "stopping after this iteration",
      );
    case "stop_withdrawn":
      return told("quiet", "the stop was withdrawn");
    case "note":
      return event.level === "info" ? null : told(event.level === "error" ? "bad" : "warn", singleLine(event.text));
    case "run_finished":
      return told(
        STOP_REASONS[event.stop_reason]?.exit === 0 ? "good" : "warn",
        `${event.stop_reason}: ${singleLine(event.sentence)}`,
      );
    default:
      return null;
  }
}

/** Whether there is something to come to its end first. */
function isWorking({ open, wait }: State): boolean {
  return open !== null && wait === null;
}
