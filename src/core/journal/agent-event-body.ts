import type { AgentEvent } from "../../driver.ts";
import type { EventBody } from "./event.ts";

/** Characters of a tool result that the journal keeps; the call's `.out` file has all of it (interfaces.md). */
const RESULT_CHARS = 2048;

/** Converts a decoded event to its journal form; null if it is only shown, counted, or part of `agent_finished`. */
export function toEventBody(event: AgentEvent, call: number): EventBody | null {
  switch (event.type) {
    case "text":
      return { ...event, type: "agent_text", call };
    case "tool_use":
      return { ...event, type: "agent_tool_started", call };
    case "tool_result": {
      const cut = event.content.length > RESULT_CHARS;
      const body = { ...event, type: "agent_tool_finished" as const, call };
      return cut ? { ...body, content: event.content.slice(0, RESULT_CHARS), size: event.content.length } : body;
    }
    case "usage":
      return { ...event, type: "agent_usage", call };
    case "session_id":
      return { ...event, type: "agent_session", call };
    case "rate_limited":
      return { ...event, type: "agent_limit", call };
    case "retry":
      return { ...event, type: "agent_retry", call };
    default:
      return null;
  }
}
