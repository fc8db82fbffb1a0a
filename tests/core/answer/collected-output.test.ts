import { describe, expect, test } from "bun:test";
import {
  type CollectedOutput,
  collectEvent,
  emptyCollectedOutput,
  finalText,
} from "../../../src/core/answer/collected-output.ts";
import { noUsage } from "../../../src/core/journal/usage.ts";
import type { AgentEvent } from "../../../src/driver.ts";

const text = (words: string, nested = false): AgentEvent => ({ type: "text", text: words, ...(nested && { nested }) });
const tool: AgentEvent = { type: "tool_use", tool_id: "t", tool: "Bash", input: { command: "ls", description: null } };
const result = (content: string, is_error: boolean): AgentEvent => ({
  type: "tool_result",
  tool_use_id: "t",
  content,
  is_error,
});
const finished = (ok: boolean, answer: string | null): AgentEvent => ({
  type: "finished",
  ok,
  text: answer,
  duration_ms: 5,
  cost_usd: 0.1,
});
const gathered = (...events: AgentEvent[]): CollectedOutput => events.reduce(collectEvent, emptyCollectedOutput());

describe("the final answer", () => {
  test("is the final event's text", () =>
    expect(finalText(gathered(text("a"), tool, text("b"), finished(true, "c")))).toBe("c"));
  test("is the text after the last tool call if the final event has none", () =>
    expect(finalText(gathered(text("a"), tool, text("b"), text("c"), finished(true, null)))).toBe("b\nc"));
  test("is empty in a stream that broke off during a tool call", () =>
    expect(finalText(gathered(text("All tasks are done."), tool))).toBe(""));
  test("is never a sub-agent's, and a sub-agent's tools do not reset the main agent's text", () =>
    expect(finalText(gathered(text("a"), text("no", true), { ...tool, nested: true }, text("b")))).toBe("a\nb"));
  test("of two turns is the later one", () =>
    expect(finalText(gathered(finished(true, "first"), finished(true, "second")))).toBe("second"));
});

test("error lines come from failed tool results and text before a tool call, not from good results", () => {
  const output = gathered(text("Error: in text"), tool, result("Error: fine", false), result("x\nError: bad\ny", true));
  expect(output.errors.lines.map((line) => line.raw)).toEqual(["Error: in text", "Error: bad"]);
});

test("a successful end clears earlier errors and limits, a failed one does not", () => {
  const trouble: AgentEvent[] = [
    { type: "rate_limited", kind: "rate_limit", message: "slow", resets_at: null },
    { type: "error", message: "boom", class: "infrastructure" },
  ];
  expect(gathered(...trouble, finished(true, "ok"))).toMatchObject({ error: null, limit: null });
  expect(gathered(...trouble, finished(false, null))).toMatchObject({
    error: { class: "infrastructure", message: "boom" },
    limit: { kind: "rate_limit" },
  });
});

test("a limit that the agent went on working after is over, also where the call was cut off", () => {
  const limit: AgentEvent = { type: "rate_limited", kind: "usage_limit", message: "opus", resets_at: null };
  expect(gathered(limit, tool).limit).toBeNull();
  expect(gathered(tool, limit, result("x", false), { ...tool, nested: true }).limit).toMatchObject({ message: "opus" });
});

test("a denial that is reported twice counts once", () => {
  const denied = (command: string): AgentEvent => ({ type: "denied", tool: "Bash", command, tool_use_id: "t1" });
  expect(gathered(denied("a"), denied("a"), denied("b")).denials.map((denial) => denial.command)).toEqual(["a", "b"]);
});

test("cost and duration of the final event complete the usage events", () => {
  const usage: AgentEvent = { type: "usage", ...noUsage(), input_tokens: 3, cost_usd: 0.5 };
  expect(gathered(usage, finished(true, "")).usage).toMatchObject({ input_tokens: 3, cost_usd: 0.5, duration_ms: 5 });
});

test("the collected output stays small after 200 MB of tool results and much text", () => {
  const megabyte = `${"x".repeat(1023)}\n`.repeat(1024);
  let output = emptyCollectedOutput();
  for (let index = 0; index < 200; index++) output = collectEvent(output, result(megabyte, false));
  for (let index = 0; index < 5; index++) output = collectEvent(output, text(megabyte));
  expect(output.errors.count).toBe(0);
  expect(finalText(output).length).toBeLessThan(3_000_000);
  expect(output.textLength).toBe(5 * megabyte.length);
});

test.each(["", " \n"])("the final text %j repeats no answer, so the last message is it", (blank) =>
  expect(finalText(gathered(text("a"), finished(true, blank)))).toBe("a"),
);
