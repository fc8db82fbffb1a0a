import { expect, test } from "bun:test";
import { toEventBody } from "../../../src/core/journal/agent-event-body.ts";
import { noUsage } from "../../../src/core/journal/usage.ts";
import type { AgentEvent } from "../../../src/driver.ts";

const result: AgentEvent = { type: "tool_result", tool_use_id: "t", content: "x", is_error: false };

test.each<[string, AgentEvent]>([
  ["agent_text", { type: "text", text: "a" }],
  ["agent_tool_started", { type: "tool_use", tool_id: "t", tool: "Bash", input: { command: "ls", description: null } }],
  ["agent_tool_finished", result],
  ["agent_usage", { type: "usage", ...noUsage() }],
  ["agent_session", { type: "session_id", session_id: "s" }],
  ["agent_limit", { type: "rate_limited", kind: "rate_limit", message: "m", resets_at: null }],
  ["agent_retry", { type: "retry", attempt: 1, delay_ms: null, reason: "busy" }],
])("the body of %s keeps the decoder's data, with the number of the call", (type, event) => {
  expect(toEventBody(event, 7)).toEqual({ ...event, type, call: 7 } as never);
});

test("a long tool result keeps its first 2,048 characters, and its size", () => {
  expect(toEventBody({ ...result, content: "x".repeat(2048) }, 1)).not.toHaveProperty("size");
  expect(toEventBody({ ...result, content: `${"x".repeat(2048)}y` }, 1)).toMatchObject({
    content: "x".repeat(2048),
    size: 2049,
  });
});

test("events that are only shown or counted are not journaled", () => {
  const finished = { type: "finished", ok: true, text: "", duration_ms: null, cost_usd: null } as const;
  expect(toEventBody(finished, 1)).toBeNull();
});
