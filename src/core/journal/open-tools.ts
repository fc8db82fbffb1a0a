import type { EventOf } from "./event.ts";

/** A tool that an agent began to use. */
export type OpenTool = EventOf<"agent_tool_started">;

/** Agents that never report results must not let the list grow. */
const MOST = 50;

export function withTool(open: readonly OpenTool[], started: OpenTool): OpenTool[] {
  return [...withoutTool(open, started.tool_id), started].slice(-MOST);
}

export function withoutTool(open: readonly OpenTool[], id: string): OpenTool[] {
  return open.filter((tool) => tool.tool_id !== id);
}
