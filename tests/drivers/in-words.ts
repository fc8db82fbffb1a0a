import type { AgentEvent, Driver } from "../../src/driver.ts";
import { createLineSplitter } from "../../src/effects/process/line-splitter.ts";
import { decode } from "./recordings/recordings.ts";

/** The events of an output that arrives in chunks of bytes. */
export function eventsOf(driver: Driver, chunks: readonly Buffer[]): AgentEvent[] {
  const splitter = createLineSplitter();
  return decode(driver, [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()]);
}

export type UsageEvent = Extract<AgentEvent, { type: "usage" }>;

const SILENT: ReadonlySet<AgentEvent["type"]> = new Set(["ignored", "partial", "session_id", "complete"]);

/** The events in words, without those that only report progress. */
export function inWords(events: readonly AgentEvent[], usage: (event: UsageEvent) => string = turnsOf): string[] {
  return events.flatMap((event) => {
    if (SILENT.has(event.type)) return [];
    if (event.type === "text") return [`text ${event.text.split("\n")[0]}${event.nested === true ? " (nested)" : ""}`];
    if (event.type === "tool_use") return [`tool ${event.tool === "Other" ? event.name : event.tool}`];
    if (event.type === "tool_result") return [`result${event.is_error ? " is an error" : ""}`];
    if (event.type === "usage") return [usage(event)];
    if (event.type === "error") return [`error ${event.class}`];
    if (event.type === "finished") return [event.ok ? "finished" : "failed"];
    if (event.type === "denied") return [`denied ${event.tool}`];
    if (event.type === "retry") return [`retry ${event.attempt} ${event.reason}`];
    if (event.type === "rate_limited") return [`limit until ${event.resets_at}`];
    return event.type === "unknown" ? [`unknown ${event.name}`] : [];
  });
}

function turnsOf({ turns, model }: UsageEvent): string {
  return `usage of ${turns ?? "?"} turns, ${model ?? "?"}`;
}
