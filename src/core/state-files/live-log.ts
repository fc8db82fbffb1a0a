import type { ToolCall } from "../../driver.ts";
import type { RalphEvent } from "../journal/event.ts";
import { firstLine, plainText } from "../text/plain-text.ts";
import { localStamp, utcOffset } from "../text/time-text.ts";
import { describeCallEnd } from "./failed-call.ts";

const ARGUMENT_CHARS = 120;

/**
 * The lines that an event adds to `live.log`: the agent's text and tools, readable without a terminal; "" for none.
 * @param offsetAt by how many ms local time is ahead of UTC at a time; few lines ask it
 */
export function formatLiveEvent(event: RalphEvent, offsetAt: (at: number) => number = utcOffset): string {
  switch (event.type) {
    case "iteration_started": {
      const at = Date.parse(event.at);
      return `=== Iteration ${event.number}, call ${event.call} (${localStamp(at, offsetAt(at))}) ===\n`;
    }
    case "agent_text":
      return `${plainText(event.text).trimEnd()}\n`;
    case "agent_tool_started":
      return `⚡ [${event.tool === "Other" ? firstLine(event.name, ARGUMENT_CHARS) : event.tool}] ${argumentOf(event)}`
        .trimEnd()
        .concat("\n");
    case "agent_tool_finished":
      return event.is_error ? `✗ ${firstLine(event.content, ARGUMENT_CHARS)}\n` : "";
    case "agent_limit":
      return `Limit: ${firstLine(event.message, ARGUMENT_CHARS)}\n`;
    case "agent_retry":
      return `Retry ${event.attempt}: ${firstLine(event.reason, ARGUMENT_CHARS)}\n`;
    case "agent_finished":
      if (event.outcome === "stopped") return "Stopped.\n";
      return event.ok ? "" : `✗ ${firstLine(describeCallEnd(event), ARGUMENT_CHARS)}\n`;
    default:
      return "";
  }
}

/** The most telling argument of a tool call, on one line. */
function argumentOf(call: ToolCall): string {
  switch (call.tool) {
    case "Bash":
      return firstLine(call.input.command, ARGUMENT_CHARS);
    case "Glob":
    case "Grep":
      return firstLine(call.input.pattern, ARGUMENT_CHARS);
    case "Other": {
      const { description } = call.input;
      return typeof description === "string" ? firstLine(description, ARGUMENT_CHARS) : "";
    }
    default:
      return firstLine(call.input.file_path, ARGUMENT_CHARS);
  }
}
