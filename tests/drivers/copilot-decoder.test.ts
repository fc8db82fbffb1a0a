import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import copilot from "../../drivers/copilot.ts";
import type { ErrorClass } from "../../src/driver.ts";
import { seed } from "../seed.ts";
import { decode, decodeObjects, only } from "./recordings/recordings.ts";

const events = (...lines: unknown[]) => decodeObjects(copilot, lines);
const at = (seconds: number) => `2026-11-21T20:00:0${seconds}.000Z`;
const says = (type: string, data: object = {}, more: object = {}) => ({ type, data, timestamp: at(1), ...more });
const result = (exitCode: number, more: object = {}) => ({
  type: "result",
  timestamp: at(3),
  sessionId: "s",
  exitCode,
  usage: { sessionDurationMs: 99_000 },
  ...more,
});

describe("the decoder of Copilot", () => {
  test("shows the growing block for each piece of text, and the block once", () => {
    const all = events(
      says("assistant.message_start"),
      says("assistant.message_delta", { deltaContent: "Hel" }),
      says("assistant.message_delta", { deltaContent: "lo" }),
      says("assistant.message", { content: "Hello" }),
      says("assistant.message_delta", { deltaContent: "By" }),
      result(0),
    );
    expect(only(all, "partial").map(({ text }) => text)).toEqual(["Hel", "Hello", "By"]);
    expect(only(all, "text").map(({ text }) => text)).toEqual(["Hello", "By"]);
  });

  test("takes an idle agent for a complete answer, until another turn begins", () => {
    const complete = (...lines: unknown[]) => only(events(...lines), "complete").map(({ over }) => over);
    const turn = [
      says("assistant.turn_start"),
      says("assistant.message", { content: "Done." }),
      says("assistant.turn_end"),
    ];
    expect(complete(...turn, says("assistant.idle"))).toEqual([true]);
    expect(complete(...turn, says("assistant.idle"), ...turn)).toEqual([true, null]);
    expect(complete(...turn, says("assistant.idle", { aborted: true }))).toEqual([]);
    expect(complete(says("session.error", { message: "no" }), says("assistant.idle"))).toEqual([]);
    expect(complete(says("assistant.idle", {}, { agentId: "a" }))).toEqual([]);
  });

  test("takes an error for overcome once the agent answers again, also where the stream is cut off", () => {
    const error = says("session.error", { errorType: "rate_limit", message: "429", statusCode: 429 });
    const answer = says("assistant.message", { content: "On with another model.", model: "m2" });
    expect(only(events(error), "error").map((event) => event.class)).toEqual(["limit"]);
    expect(only(events(error, answer), "error")).toEqual([]);
    expect(only(events(error, { ...answer, agentId: "a" }), "error")).toHaveLength(1);
    expect(only(events(answer, error, result(1)), "error").map((event) => event.class)).toEqual(["limit"]);
  });

  test("counts text once that a retry repeats", () => {
    const all = events(
      says("assistant.message_delta", { deltaContent: "Half" }),
      says("model.call_failure", { statusCode: 500, retryAttempt: 0 }),
      says("assistant.turn_retry", { reason: "api_error" }),
      says("assistant.message", { content: "Whole" }),
      result(0),
    );
    expect(only(all, "text").map(({ text }) => text)).toEqual(["Whole"]);
    expect(only(all, "retry")).toEqual([{ type: "retry", attempt: 1, delay_ms: null, reason: "api_error (500)" }]);
  });

  test("marks a sub-agent's text and calls as nested, and ignores its errors and pieces", () => {
    const nested = { agentId: "a1" };
    const all = events(
      says("assistant.message_delta", { deltaContent: "in" }, nested),
      says("assistant.message", { content: "inner" }, nested),
      says("tool.execution_start", { toolCallId: "t", toolName: "bash", arguments: { command: "ls" } }, nested),
      says("session.error", { errorType: "rate_limit", message: "429" }, nested),
      says("abort", { reason: "user_initiated" }, nested),
      says("assistant.message", { content: "old form", parentToolCallId: "t0" }),
      result(0),
    );
    expect(all.filter(({ type }) => type === "text" || type === "tool_use" || type === "partial")).toEqual([
      { type: "text", text: "inner", nested: true },
      { type: "tool_use", tool_id: "t", nested: true, tool: "Bash", input: { command: "ls", description: null } },
      { type: "text", text: "old form", nested: true },
    ]);
    expect(only(all, "error")).toEqual([]);
    expect(only(all, "finished")).toMatchObject([{ ok: true }]);
  });

  test("reports time and turns of this run only, and tokens if an event has them", () => {
    const all = events(
      says("assistant.turn_start"),
      says("session.tools_updated", { model: "m" }),
      says("assistant.usage", { inputTokens: 10, outputTokens: 2, cacheReadTokens: 5 }),
      says("assistant.usage", { inputTokens: 20, outputTokens: 3 }),
      result(0),
    );
    expect(only(all, "usage")).toMatchObject([
      { input_tokens: 30, output_tokens: 5, cache_read_tokens: 5, turns: 1, duration_ms: 2000, model: "m" },
    ]);
    expect(only(events(says("assistant.turn_start"), result(0)), "usage")).toMatchObject([
      { input_tokens: null, output_tokens: null, cost_usd: null },
    ]);
  });

  test("reports the tokens of each request in its session's file, sub-agents' too, of which the cached are no input", () => {
    const used = (usage: object, more = {}) => says("session.usage_record", { usage: { model: "m", ...usage } }, more);
    const all = events(
      used({ inputTokens: 1600, outputTokens: 80, cacheReadTokens: 400, cacheWriteTokens: 100 }),
      used({ inputTokens: 20, outputTokens: 3, cacheReadTokens: 0, cacheWriteTokens: 0 }, { agentId: "a" }),
      says("session.shutdown", { modelMetrics: {} }),
    );
    expect(only(all, "usage")).toMatchObject([
      { input_tokens: 1120, output_tokens: 83, cache_read_tokens: 400, cache_creation_tokens: 100, model: "m" },
    ]);
  });

  test("reports a tool's result as an error if the tool or its command failed", () => {
    const done = (data: object) => only(events(says("tool.execution_complete", data)), "tool_result")[0];
    expect(done({ success: true, result: { content: "ok" } })).toMatchObject({ content: "ok", is_error: false });
    expect(done({ success: true, shellExecution: { exitCode: 2 } })).toMatchObject({ is_error: true });
    expect(done({ success: false, error: { message: "no such file" } })).toMatchObject({
      content: "no such file",
      is_error: true,
    });
  });

  test("gives one call and one result per file for a patch of several files", () => {
    const patch = "*** Begin Patch\n*** Update File: a\n-x\n+y\n*** Add File: b\n+z\n*** End Patch\n";
    const call = says("tool.execution_start", { toolCallId: "t", toolName: "apply_patch", arguments: patch });
    const done = says("tool.execution_complete", { toolCallId: "t", success: true, result: { content: "ok" } });
    expect(events(call, done).filter(({ type }) => type.startsWith("tool_"))).toEqual([
      { type: "tool_use", tool_id: "t", tool: "Edit", input: { file_path: "a", old_string: "x\n", new_string: "y\n" } },
      { type: "tool_use", tool_id: "t/1", tool: "Write", input: { file_path: "b", content: "z\n" } },
      { type: "tool_result", tool_use_id: "t", content: "ok", is_error: false },
      { type: "tool_result", tool_use_id: "t/1", content: "ok", is_error: false },
    ]);
  });

  test("recognises a denial only by the error's code, and adds the command of the call", () => {
    const call = says("tool.execution_start", { toolCallId: "t", toolName: "bash", arguments: { command: "rm x" } });
    const failed = (error: object) => says("tool.execution_complete", { toolCallId: "t", success: false, error });
    expect(only(events(call, failed({ code: "denied", message: "no" })), "denied")).toEqual([
      { type: "denied", tool: "Bash", command: "rm x", tool_use_id: "t" },
    ]);
    expect(only(events(call, failed({ code: "failure", message: "Permission denied" })), "denied")).toEqual([]);
    const other = says("tool.execution_start", { toolCallId: "t", toolName: "web_fetch", arguments: {} });
    expect(only(events(other, failed({ code: "denied" })), "denied")).toMatchObject([
      { tool: "web_fetch", command: null },
    ]);
  });

  test.each<[string, object, ErrorClass]>([
    ["rate_limit", { errorType: "rate_limit", statusCode: 429 }, "limit"],
    ["quota", { errorType: "quota", errorCode: "quota_exceeded" }, "billing"],
    ["billing that is not configured", { errorType: "quota", errorCode: "billing_not_configured" }, "billing"],
    [
      "what a plan may spend beyond its own",
      { errorType: "quota", errorCode: "additional_spend_limit_reached" },
      "billing",
    ],
    ["what a session may spend", { errorType: "quota", errorCode: "session_quota_exceeded" }, "context"],
    ["authentication", { errorType: "authentication", statusCode: 401 }, "auth"],
    ["authorization", { errorType: "authorization", statusCode: 403 }, "auth"],
    ["policy", { errorType: "policy" }, "config"],
    ["context_limit", { errorType: "context_limit" }, "context"],
    ["query with 400", { errorType: "query", statusCode: 400 }, "request"],
    ["query with 401", { errorType: "query", statusCode: 401 }, "auth"],
    ["query with 402", { errorType: "query", statusCode: 402 }, "billing"],
    [
      "an unknown model",
      { errorType: "query", statusCode: 404, message: "Model 'x' not found on provider at y (HTTP 404)." },
      "model",
    ],
    ["query with 408", { errorType: "query", statusCode: 408 }, "infrastructure"],
    ["query with 429", { errorType: "query", statusCode: 429 }, "limit"],
    ["query with 529", { errorType: "query", statusCode: 529 }, "infrastructure"],
    ["query without a status", { errorType: "query" }, "infrastructure"],
    ["an unknown kind", { errorType: "constructor" }, "infrastructure"],
  ])("classifies an error: %s", (_, data, expected) => {
    const all = events(says("session.error", { message: "Oh.", ...data }), result(1));
    expect(only(all, "error")).toMatchObject([{ class: expected }]);
    expect(only(all, "finished")).toMatchObject([{ ok: false }]);
    const cut = events(says("session.error", { message: "Oh.", ...data }));
    expect(only(cut, "error")).toEqual(only(all, "error"));
  });

  describe("with exit code 0 and an error", () => {
    const limit = says("session.error", { errorType: "rate_limit", message: "429", statusCode: 429 });
    const works = says("assistant.message", { content: "On.", toolRequests: [{ toolCallId: "t", name: "bash" }] });
    const answers = says("assistant.message", { content: "Done.", toolRequests: [] });
    const begins = says("assistant.turn_start");
    const ends = (...lines: object[]): unknown => {
      const all = events(...lines, result(0));
      return [only(all, "error").map((event) => event.class), only(all, "finished").map(({ ok }) => ok)];
    };
    test("failed where the agent gave no answer", () => {
      const failed = [["limit"], [false]];
      expect(ends(limit)).toEqual(failed);
      expect(ends(begins, works, limit)).toEqual(failed);
      expect(ends(begins, answers, begins, limit)).toEqual(failed);
      expect(ends(begins, { ...answers, agentId: "a" }, limit)).toEqual(failed);
    });
    test("went well where it answered, before the error or after it", () => {
      const well = [[], [true]];
      expect(ends(limit, begins, answers)).toEqual(well);
      expect(ends(begins, answers, limit)).toEqual(well);
      expect(ends(begins, answers, { ...begins, agentId: "a" }, limit)).toEqual(well);
    });
  });

  test("reports an abort, and an exit code without a message, as failures", () => {
    const aborted = events(says("abort", { reason: "user_abort" }), result(0));
    expect(only(aborted, "error")).toMatchObject([{ message: "Copilot was interrupted (user_abort)." }]);
    expect(only(aborted, "finished")).toMatchObject([{ ok: false }]);
    expect(only(events(result(3)), "error")).toMatchObject([
      { class: "infrastructure", message: "Copilot ended with exit code 3 and did not say why." },
    ]);
  });

  test("reports event types of a future version and requests to a person as unknown, and reads on", () => {
    const all = events(
      says("session.hologram"),
      says("permission.requested"),
      { data: {} },
      says("toString"),
      says("assistant.message", { content: "Hi" }),
    );
    expect(only(all, "unknown").map(({ name }) => name)).toEqual([
      "session.hologram",
      "permission.requested",
      "object without a type",
      "toString",
    ]);
    expect(only(all, "text")).toHaveLength(1);
  });

  test("gives no event for lines that are not JSON", () => {
    expect(decode(copilot, ["", " ", "Warning: x", "42", "null", '{"type":"result","exit'])).toEqual([]);
  });

  test("never throws, whatever JSON it gets", () => {
    const type = fc.constantFrom("assistant.message", "tool.execution_complete", "session.error", "abort", "result");
    const key = fc.constantFrom("content", "error", "result", "toolCallId", "arguments", "exitCode", "errorType");
    fc.assert(
      fc.property(type, fc.dictionary(key, fc.jsonValue()), (kind, fields) => {
        decode(copilot, [JSON.stringify({ ...fields, type: kind, data: fields })]);
      }),
      { seed },
    );
  });
});
