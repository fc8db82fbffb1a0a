import { gatePassed } from "../../core/decide/gate-rules.ts";
import { NO_TESTS, uncheckedText } from "../../core/gates/unchecked-text.ts";
import { weakenedText } from "../../core/gates/weakened-text.ts";
import type { EventStep } from "../../core/journal/event-step.ts";
import type { State } from "../../core/journal/state.ts";
import { landWords } from "../../core/land/words.ts";
import { iterationName, namedSentence } from "../../core/report/iteration-name.ts";
import { stopTone } from "../../core/stop/stop-tone.ts";
import { count } from "../../core/text/count.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { runWaitLine } from "../live/wait-line.ts";
import { duration } from "../text/figures.ts";
import { ITERATION_MARKS, iterationKind, markedIteration } from "../text/iteration-mark.ts";
import { END_MARKS, type EventTone } from "../text/marks.ts";

/** An action of the loop, in one line. Its mark is that of its tone, unless it has one in every view. */
export type Activity = { at: string; tone: EventTone; text: string; mark?: string };

/** The activity line of an event; the agent's own actions are in the output instead. */
export function activityOf({ event, state, previous }: EventStep): Activity | null {
  const entry = (tone: Activity["tone"], text: string): Activity => ({ at: event.at, tone, text });
  switch (event.type) {
    case "run_started":
      return entry("quiet", `run ${event.run} began`);
    case "run_recovered":
      return entry("warn", `recovered from run ${event.of_run}`);
    case "iteration_started":
      return event.call > 1 ? entry("quiet", `iteration ${event.number}, call ${event.call}`) : null;
    case "iteration_finished": {
      const { tone, mark } = ITERATION_MARKS[iterationKind(markedIteration(event))];
      const breaker =
        state.breaker.state === previous.breaker.state ? "" : ` Breaker ${state.breaker.state.toUpperCase()}.`;
      const named = singleLine(namedSentence(iterationName(event), event.verdict.sentence));
      return { ...entry(tone, `${event.iteration}: ${named}${breaker}`), mark };
    }
    case "iteration_interrupted":
      return entry("warn", `iteration ${event.number} was interrupted`);
    case "agent_limit":
      return entry("warn", singleLine(event.message));
    case "gate_finished":
      if (event.no_tests) return entry("warn", `gate ${singleLine(event.command)}: ${NO_TESTS}`);
      return entry(gatePassed(event) ? "good" : "bad", `gate ${singleLine(event.command)}, ${duration(event.ms)}`);
    case "gate_weakened":
      return entry("warn", singleLine(weakenedText(event)));
    case "done_unchecked":
      return entry("warn", singleLine(uncheckedText(event)));
    case "land_stacked":
    case "land_tested":
    case "landed":
    case "land_returned":
    case "land_held": {
      const { tone, text } = landWords(event);
      return entry(tone, text);
    }
    case "gate_accepted":
      return entry("quiet", "the gates are accepted as they are");
    case "import_started":
      return entry(
        "quiet",
        event.missing.length === 0 ? `reading ${singleLine(event.document)}` : "asking for what was left out",
      );
    case "review_finished":
      return entry("quiet", singleLine(event.sentence));
    case "look_started":
      return entry("quiet", `${singleLine(event.display_name)} looks at the work`);
    case "gap_checked":
      return entry(gatePassed(event) ? "good" : "bad", `look ${singleLine(event.command)}, ${duration(event.ms)}`);
    case "look_finished":
      return entry(event.result === "none" ? "good" : "warn", singleLine(event.sentence));
    case "git_step":
      if (event.result === "begun") return null;
      return entry(event.result === "done" ? "good" : "warn", singleLine(event.text));
    case "wait_started":
      return entry("warn", event.why === "paused" ? "paused" : runWaitLine(event, state, Date.parse(event.at)));
    case "said":
      return entry("quiet", `for the next prompt: ${singleLine(event.text)}`);
    case "paused":
      return isWorking(previous) ? entry("warn", "pausing after this iteration") : null;
    case "resumed":
      return entry("quiet", "going on");
    case "bound_raised":
      return entry("quiet", `${count(event.iterations, "more iteration")} allowed`);
    case "stop_requested":
      return entry(
        "warn",
        event.how === "now" || !isWorking(previous) ? "stopping now" : "stopping after this iteration",
      );
    case "stop_withdrawn":
      return entry("quiet", "the stop was withdrawn");
    case "note":
      return event.level === "info" ? null : entry(event.level === "error" ? "bad" : "warn", singleLine(event.text));
    case "run_finished": {
      const tone = stopTone(event.stop_reason, event.exit_code);
      const text = `${event.stop_reason}: ${singleLine(event.sentence)}`;
      return { ...entry(tone === "calm" ? "quiet" : tone, text), mark: END_MARKS[tone] };
    }
    default:
      return null;
  }
}

/** Whether a call or a wait must end first. */
function isWorking({ open, wait }: State): boolean {
  return open !== null && wait === null;
}
