import { gatePassed } from "../decide/gate-rules.ts";
import { isFlake } from "../gates/gate-trust.ts";
import { NO_TESTS, uncheckedText } from "../gates/unchecked-text.ts";
import { reasonText, weakenedText } from "../gates/weakened-text.ts";
import type { EventOf, RalphEvent } from "../journal/event.ts";
import { landWords } from "../land/words.ts";
import { iterationName, namedSentence } from "../report/iteration-name.ts";
import { openWords } from "../report/open-words.ts";
import { stopTone } from "../stop/stop-tone.ts";
import { count } from "../text/count.ts";
import { singleLine } from "../text/plain-text.ts";
import { localStamp } from "../text/time-text.ts";
import { truncate } from "../text/truncate.ts";
import { needsYou } from "../words.ts";
import { describeCallEnd } from "./failed-call.ts";

export type LogLevel = "INFO" | "WARN" | "ERROR" | "SUCCESS" | "LOOP";
export type LogEntry = { level: LogLevel; text: string };

/** Readers of the originals look for whole lines in the last 4,096 bytes; the journal has the rest of a longer one. */
const LINE_CHARS = 1000;

/**
 * One line of `logs/ralph.log`, `[2026-01-31 09:05:00] [INFO] text`: local time, always exactly one line.
 * @param offset of local time, in ms
 */
export function logLine(at: number, { level, text }: LogEntry, offset?: number): string {
  return `[${localStamp(at, offset)}] [${level}] ${truncate(singleLine(text), LINE_CHARS)}\n`;
}

const info = (text: string): LogEntry => ({ level: "INFO", text });
const warn = (text: string): LogEntry => ({ level: "WARN", text });

/** The entry of an event in `logs/ralph.log`; null for events that only the journal and `live.log` record. */
export function logEntry(event: RalphEvent): LogEntry | null {
  switch (event.type) {
    case "run_started":
      return info(`Run ${event.run} started: ralph ${event.version}, ${event.display_name ?? event.driver}.`);
    case "run_recovered":
      return warn(recovered(event));
    case "iteration_started":
      return { level: "LOOP", text: begun(event) };
    case "agent_limit":
      return warn(`Limit: ${event.message}`);
    case "agent_retry":
      return warn(`The agent tries again (${event.attempt}): ${event.reason}`);
    case "agent_finished":
      return callLogEntry(event);
    case "gate_finished":
      return gateEntry(event);
    case "gate_weakened":
      return warn(`${weakenedText(event)} ${event.reasons.map(reasonText).join("; ")}`);
    case "done_unchecked":
      return warn(uncheckedText(event));
    case "land_stacked":
    case "land_tested":
    case "landed":
    case "land_returned":
    case "land_held": {
      const { tone, text } = landWords(event);
      return tone === "good" || tone === "quiet" ? info(text) : warn(text);
    }
    case "gate_restored":
      return info("The gates are as strong again as at the start.");
    case "gate_accepted":
      return info("The user accepts the gates as they are.");
    case "import_started":
      return event.missing.length === 0
        ? info(`Importing ${event.document}.`)
        : info(`Importing ${event.document}, once more for what was left out: ${event.missing.join(", ")}`);
    case "review_finished":
      return info(event.sentence);
    case "look_started":
      return info(`${event.display_name} looks at the work before "done" is believed.`);
    case "gap_named":
      return warn(`A gate from now on: ${event.command}`);
    case "look_finished":
      return event.result === "none" ? info(event.sentence) : warn(event.sentence);
    case "git_step":
      return event.result === "done" || event.result === "begun" ? info(event.text) : warn(event.text);
    case "iteration_finished":
      return {
        level: event.outcome === "answered" ? "SUCCESS" : "WARN",
        text: `Iteration ${event.iteration} ended: ${namedSentence(iterationName(event), event.verdict.sentence)}${opened(event)}`,
      };
    case "iteration_interrupted":
      // A stop by the user needs no attention.
      return event.why === "stopped"
        ? info(`Iteration ${event.number} was stopped before its end.`)
        : warn(`Iteration ${event.number} was interrupted: ${event.why}`);
    case "stop_requested":
      return info(`Stop requested by ${event.by}: ${event.how === "now" ? "at once" : "after this iteration"}.`);
    case "stop_withdrawn":
      return info("The stop was withdrawn.");
    case "said":
      return info(`For the next prompt: ${event.text}`);
    case "said_passed_on":
      return info(`Passed on to ${event.workers.join(", ")}: ${event.text}`);
    case "question_asked":
      return warn(`${needsYou(event.kind, event.text)}${event.parked ? " (the task is set aside)" : ""}`);
    case "question_answered":
      return info(`Answer to question ${event.number}: ${event.text}`);
    case "paused":
      return info("Paused by the user.");
    case "resumed":
      return info("Going on.");
    case "bound_raised":
      return info(`The user allows ${count(event.iterations, "more iteration")}.`);
    case "wait_started":
      if (event.why === "paused") return null;
      return warn(`Waiting until ${localStamp(Date.parse(event.until))}: ${event.message}`);
    case "wait_ended":
      return info("The wait is over.");
    case "reset":
      return info(`Reset of ${resetWords(event)}: ${event.reason}.`);
    case "note":
      return { level: NOTE_LEVELS[event.level], text: event.text };
    case "run_finished":
      return {
        level: END_LEVELS[stopTone(event.stop_reason, event.exit_code)],
        text: `Run ended (${event.stop_reason}): ${event.sentence}`,
      };
    default:
      return null;
  }
}

const END_LEVELS = { good: "SUCCESS", calm: "INFO", warn: "ERROR", bad: "ERROR" } as const satisfies Record<
  string,
  LogLevel
>;
const NOTE_LEVELS = { info: "INFO", warn: "WARN", error: "ERROR" } as const satisfies Record<string, LogLevel>;

function begun({ number, call, resume }: EventOf<"iteration_started">): string {
  const again = call > 1 ? ` goes on, call ${call}` : "";
  const session = resume === null ? "" : `, session ${resume}`;
  return `Iteration ${number}${again}${session}.`;
}

function resetWords({ what }: EventOf<"reset">): string {
  if (what === "both") return "circuit breaker and session";
  return what === "circuit" ? "the circuit breaker" : "the session";
}

function gateEntry(event: EventOf<"gate_finished">): LogEntry {
  const { command, no_tests, timed_out, exit_code } = event;
  if (no_tests) return warn(`Gate passed: ${command}. ${NO_TESTS}`);
  if (gatePassed(event))
    return info(`Gate passed${isFlake(event) ? " the second time, on the same tree" : ""}: ${command}`);
  if (timed_out) return warn(`Gate timed out: ${command}`);
  return warn(`Gate ${exit_code === null ? "could not run" : `failed with ${exit_code}`}: ${command}`);
}

function callLogEntry(event: EventOf<"agent_finished">): LogEntry | null {
  if (event.ok) return null;
  if (event.outcome === "stopped") return info("The agent was stopped.");
  const how = event.outcome === "ok" ? "failed" : event.outcome.replace("_", " ");
  return { level: "ERROR", text: `The agent's call ${how}: ${describeCallEnd(event)}` };
}

/** The breaker is open after an iteration only if that iteration opened it. */
function opened({ breaker }: EventOf<"iteration_finished">): string {
  return breaker.state === "open" ? ` Circuit breaker: ${openWords(breaker.reason)}.` : "";
}

function recovered({
  of_run,
  interrupted_iteration,
  ended_processes,
}: Extract<RalphEvent, { type: "run_recovered" }>): string {
  const iteration = interrupted_iteration === null ? "" : ` in iteration ${interrupted_iteration}`;
  const ended =
    ended_processes.length === 0 ? "" : `; processes that it left were ended: ${ended_processes.join(", ")}`;
  return `Run ${of_run} broke off${iteration}${ended}.`;
}
