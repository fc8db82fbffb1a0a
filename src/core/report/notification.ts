import { shownDenials } from "../answer/denial.ts";
import type { EventOf } from "../journal/event.ts";
import type { EventStep } from "../journal/event-step.ts";
import type { State } from "../journal/state.ts";
import { answerCommand, deniedNames, needsOf } from "../needs/needs.ts";
import { newestNumber } from "../needs/questions.ts";
import { runTitle } from "../run-title.ts";
import { STOP_REASONS, type StopReason } from "../stop/stop-reasons.ts";
import { singleLine } from "../text/plain-text.ts";
import { truncate } from "../text/truncate.ts";
import { NEEDS_YOU } from "../words.ts";

export type NotificationKind =
  | "complete"
  | "breaker_open"
  | "limit_reached"
  | "limit_over"
  | "denied"
  | "failed"
  /** A question that the run cannot answer. */
  | "question"
  /** The run reached a bound that the user set. */
  | "ended";

/** Title and text are one line each, without control characters. */
export type Notification = { kind: NotificationKind; title: string; text: string };

const TEXT_CHARS = 300;
const NAME_CHARS = 60;
/** Leaves room for why the run ended. */
const NEED_CHARS = 160;

/**
 * The notification for a user who is elsewhere; null for most events, and for the user's own actions.
 */
export function notificationFor({ event, state, previous }: EventStep): Notification | null {
  switch (event.type) {
    case "run_finished":
      return endNotification(event, state);
    case "iteration_finished":
      return denialNotification(event, state, previous);
    case "question_asked":
      return questionNotification(event, state, previous);
    case "wait_started":
      if (event.why !== "usage_limit") return null;
      return createNotification("limit_reached", titled(state, "usage limit"), limitText(event));
    case "wait_ended":
      if (event.why !== "usage_limit" || previous.stop_requested !== null) return null;
      // A pause or the end of the run's time ends the wait as well.
      if ((state.limit?.until ?? 0) > Date.parse(event.at)) return null;
      return createNotification("limit_over", titled(state, "going on"), "The usage limit is over.");
    default:
      return null;
  }
}

function endNotification({ stop_reason, sentence }: EventOf<"run_finished">, state: State): Notification | null {
  const kind = notificationKind(stop_reason);
  if (kind === null) return null;
  const words = {
    complete: "done",
    breaker_open: "circuit breaker OPEN",
    limit_reached: "usage limit",
    denied: "permission denied",
    failed: "stopped",
    question: "needs you",
    ended: "stopped",
  }[kind];
  return createNotification(
    kind,
    titled(state, words),
    sentence === "" ? STOP_REASONS[stop_reason].text : sentence,
    needsText(state),
  );
}

/** What a person has to answer, and the command that tells how; "" for nothing. */
function needsText(state: State): string {
  const [first, ...others] = needsOf(state, { alive: false });
  if (first === undefined) return "";
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  return ` ${NEEDS_YOU}: ${short(first.text, NEED_CHARS)}${more} Answer: ralph inbox`;
}

/** A question about a task is told once. A denial has a notification of its own, but for that of a swarm's worker, whose task is set aside. */
function questionNotification(
  { kind, text, task, parked }: EventOf<"question_asked">,
  state: State,
  { inbox }: State,
): Notification | null {
  if (kind === "import" || (kind === "denied" && !parked)) return null;
  if (inbox.open.some((question) => question.kind === kind && question.task === task)) return null;
  const answer = ` Answer: ${answerCommand(newestNumber(state.inbox))}`;
  if (kind === "denied") {
    const denied = shownDenials(deniedNames(text)).join(", ");
    return createNotification("denied", titled(state, "permission denied"), denied, answer);
  }
  return createNotification("question", titled(state, "needs you"), text, answer);
}

function notificationKind(reason: StopReason): Exclude<NotificationKind, "limit_over"> | null {
  const { status, action } = STOP_REASONS[reason];
  if (status === "completed") return "complete";
  if (action === "circuit_breaker_open") return "breaker_open";
  if (action === "bound_reached") return "ended";
  if (reason === "usage_limit") return "limit_reached";
  if (reason === "waits_for_answer") return "question";
  if (reason === "permission_denied" || reason === "denied_repeatedly") return "denied";
  if (action === "stopped_by_user" || action === "interrupted" || reason === "landed") return null;
  return "failed";
}

/** Consecutive denials are reported once; if they end the run, its end reports them. */
function denialNotification(
  { analysis }: EventOf<"iteration_finished">,
  state: State,
  previous: State,
): Notification | null {
  const known = previous.last?.analysis.has_permission_denials === true;
  if (!analysis.has_permission_denials || known || state.settings.PERMISSION_DENIAL_MODE === "halt") return null;
  if (state.breaker.state === "open") return null;
  return createNotification(
    "denied",
    titled(state, "permission denied"),
    shownDenials(analysis.denied_commands).join(", "),
  );
}

function limitText({ message }: EventOf<"wait_started">): string {
  return message === "" ? "The provider's usage limit is reached; ralph waits." : message;
}

function titled(state: State, words: string): string {
  return `${short(runTitle(state), NAME_CHARS)}: ${words}`;
}

/** @param last words that are never cut, since a command that is cut off is useless */
function createNotification(kind: NotificationKind, title: string, text: string, last = ""): Notification {
  return { kind, title, text: short(text, TEXT_CHARS - last.length) + last };
}

/** Someone else's text: a provider's message may have any length and content. */
function short(words: string, most: number): string {
  return truncate(singleLine(words), most);
}
