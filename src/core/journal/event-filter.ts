import { logEntry } from "../state-files/run-log.ts";
import type { RalphEvent } from "./event.ts";

export const EVENT_LEVELS = ["info", "warn", "error"] as const;
export type EventLevel = (typeof EVENT_LEVELS)[number];

/** The severity of an event: its level in `ralph.log`, else info; a failed tool is a warning. */
export function eventLevel(event: RalphEvent): EventLevel {
  if (event.type === "agent_tool_finished") return event.is_error ? "warn" : "info";
  const level = logEntry(event)?.level;
  return level === "ERROR" ? "error" : level === "WARN" ? "warn" : "info";
}

export type EventFilter = {
  /** Null for all. */
  iteration: number | null;
  /** The lowest level that matches. */
  level: EventLevel;
};

export function matchesFilter(event: RalphEvent, { iteration, level }: EventFilter): boolean {
  if (iteration !== null && event.iteration !== iteration) return false;
  return EVENT_LEVELS.indexOf(eventLevel(event)) >= EVENT_LEVELS.indexOf(level);
}
