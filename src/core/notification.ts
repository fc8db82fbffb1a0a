import type { EventOf, RalphEvent } from "./event.ts";
import type { State } from "./state.ts";
import { STOPS, type StopReason } from "./stop.ts";

export type NotificationKind =
  | "complete"
  | "breaker_open"
  | "limit_reached"
  | "limit_over"
  | "denied"
  | "failed"
  /** A bound that the user set is reached. */
  | "ended";

export type Notification = { kind: NotificationKind; title: string; text: string };

/**
 * What a person who looks elsewhere wants to hear of an event; null for nearly all of them, and for what they did
 * themselves.
 * @param state the state after the event
 * @param previous the state before it
 */
export function notificationOf(event: RalphEvent, state: State, previous: State): Notification | null {
  switch (event.type) {
    case "run_finished":
      return ofEnd(event, state);
    case "iteration_finished":
      return ofDenials(event, state, previous);
    case "wait_started":
      if (event.why !== "usage_limit") return null;
      return { kind: "limit_reached", title: titled(state, "usage limit"), text: limitText(event) };
    case "wait_ended":
      if (event.why !== "usage_limit" || previous.stop_requested !== null) return null;
      return { kind: "limit_over", title: titled(state, "going on"), text: "The usage limit is over." };
    default:
      return null;
  }
}

function ofEnd({ stop_reason, sentence }: EventOf<"run_finished">, state: State): Notification | null {
  const kind = kindOfEnd(stop_reason);
  if (kind === null) return null;
  const words = {
    complete: "done",
    breaker_open: "circuit breaker OPEN",
    limit_reached: "usage limit",
    denied: "permission denied",
    failed: "stopped",
    ended: "stopped",
  }[kind];
  return { kind, title: titled(state, words), text: sentence === "" ? STOPS[stop_reason].text : sentence };
}

function kindOfEnd(reason: StopReason): Exclude<NotificationKind, "limit_over"> | null {
  const { status, action } = STOPS[reason];
  if (status === "completed") return "complete";
  if (action === "circuit_breaker_open") return "breaker_open";
  if (action === "bound_reached") return "ended";
  if (reason === "usage_limit") return "limit_reached";
  if (reason === "permission_denied") return "denied";
  if (action === "stopped_by_user" || action === "interrupted") return null;
  return "failed";
}

/** Denials in a row are told once; where they end the run, its end tells them. */
function ofDenials({ analysis }: EventOf<"iteration_finished">, state: State, previous: State): Notification | null {
  const known = previous.last?.analysis.has_permission_denials === true;
  if (!analysis.has_permission_denials || known || state.settings.PERMISSION_DENIAL_MODE === "halt") return null;
  if (state.breaker.state === "open") return null;
  return { kind: "denied", title: titled(state, "permission denied"), text: analysis.denied_commands.join(", ") };
}

function limitText({ message }: EventOf<"wait_started">): string {
  return message === "" ? "The provider's usage limit is reached; ralph waits." : message;
}

function titled({ settings, project }: State, words: string): string {
  const name = settings.PROJECT_NAME;
  const known = typeof name === "string" && name !== "my-project" ? name : project.split(/[\\/]/).at(-1);
  return `${known}: ${words}`;
}
