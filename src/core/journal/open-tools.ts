import type { EventOf } from "./event.ts";

/** A tool call without a result. */
export type OpenTool = EventOf<"agent_tool_started">;

/** Keeps the list short for agents that never report results. */
const MOST = 50;

export function withTool(open: readonly OpenTool[], started: OpenTool): OpenTool[] {
  return [...withoutTool(open, started.tool_id), started].slice(-MOST);
}

export function withoutTool(open: readonly OpenTool[], id: string): OpenTool[] {
  return open.filter((tool) => tool.tool_id !== id);
}
