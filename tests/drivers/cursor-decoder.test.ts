import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import cursor from "../../drivers/cursor.ts";
import type { AgentEvent } from "../../src/driver.ts";
import { seed } from "../seed.ts";
import { eventsOf, inWords } from "./in-words.ts";
import { decode, decodeObjects, only, recordings } from "./recordings/recordings.ts";

const events = (...lines: unknown[]) => decodeObjects(cursor, lines);
const says = (text: string, more: object = {}) => ({
  type: "assistant",
  message: { role: "assistant", content: [{ type: "text", text }] },
  ...more,
});
const piece = (text: string) => says(text, { timestamp_ms: 1 });
const call = (subtype: string, tool_call: object, more: object = {}) => ({
  type: "tool_call",
  subtype,
  call_id: "c",
  tool_call,
  ...more,
});
const ended = (text: string, more: object = {}) => ({ type: "result", subtype: "success", result: text, ...more });
const texts = (all: readonly AgentEvent[]) => only(all, "text").map(({ text }) => text);

describe("the decoder of Cursor", () => {
  test("shows the growing block for each piece of text, and then the whole block", () => {
    const all = events(piece("Hel"), piece("lo"), says("Hello"), ended("Hello"));
    expect(only(all, "partial").map(({ text }) => text)).toEqual(["Hel", "Hello"]);
    expect(texts(all)).toEqual(["Hello"]);
  });

  test("tells the tokens of the final event, where it has them", () => {
    const usage = { inputTokens: 229_382, outputTokens: 10_147, cacheReadTokens: 2_158_080, cacheWriteTokens: 7 };
    const unknown = { input_tokens: null, output_tokens: null, cache_read_tokens: null, cache_creation_tokens: null };
    expect(only(events(ended("Done.", { usage })), "usage")).toMatchObject([
      { input_tokens: 229_382, output_tokens: 10_147, cache_read_tokens: 2_158_080, cache_creation_tokens: 7 },
    ]);
    expect(only(events(ended("Done.")), "usage")).toMatchObject([unknown]);
    expect(only(events(ended("Done.", { usage: "none" })), "usage")).toMatchObject([unknown]);
  });

  test("reads a whole block before a tool call, although it has a time too", () => {
    const before = says("Hello", { timestamp_ms: 2, model_call_id: "m" });
    expect(texts(events(piece("Hel"), piece("lo"), before))).toEqual(["Hello"]);
    expect(texts(events(before))).toEqual(["Hello"]);
  });

  test("makes one block of pieces that are not repeated, at a tool call or at the end", () => {
    const tool = call("started", { lsToolCall: { args: {} } });
    expect(texts(events(piece("Hel"), piece("lo"), tool, says("Hello"), piece("By")))).toEqual(["Hello", "By"]);
    expect(texts(events(piece("Hel"), ended("Hel")))).toEqual(["Hel"]);
  });

  test("takes the text since the last tool call as the answer, not all text joined", () => {
    const tool = call("started", { lsToolCall: { args: {} } });
    const answer = (...lines: unknown[]) => only(events(...lines), "finished")[0]?.text;
    expect(answer(says("First."), tool, says("---RALPH_STATUS---"), ended("First.---RALPH_STATUS---"))).toBe(
      "---RALPH_STATUS---",
    );
    expect(answer(says("First."), tool, ended("First."))).toBe("First.");
    expect(answer(says("Other."), ended("Done."))).toBe("Done.");
    expect(answer({ type: "result" })).toBeNull();
  });

  test.each<[string, object, object]>([
    ["keyed by its name", { shellToolCall: { args: { command: "ls" } } }, { tool: "Bash", input: { command: "ls" } }],
    [
      "keyed, with a description and an id beside it",
      { toolCallId: "c", description: "List", shellToolCall: { args: { command: "ls" } } },
      { tool: "Bash", input: { command: "ls", description: "List" } },
    ],
    ["a write", { writeToolCall: { args: { path: "a", fileText: "x" } } }, { tool: "Write", input: { content: "x" } }],
    ["unknown", { todoToolCall: { args: { a: 1 } } }, { tool: "Other", name: "todo", input: { a: 1 } }],
    [
      "as a function",
      { function: { name: "read_file", arguments: '{"path":"a"}' } },
      { tool: "Read", input: { file_path: "a" } },
    ],
    ["as a bare name", { name: "grep", args: { pattern: "x" } }, { tool: "Grep", input: { pattern: "x" } }],
    ["empty", {}, { tool: "Other", name: "", input: {} }],
  ])("reads a tool call: %s", (_, tool_call, expected) => {
    expect(only(events(call("started", tool_call)), "tool_use")).toMatchObject([{ tool_id: "c", ...expected }]);
  });

  test("reads a tool call in flat form, and its refusal", () => {
    const flat = (subtype: string, more: object) => ({ type: "tool_call", subtype, call_id: "c", ...more });
    const started = flat("started", { name: "terminal", input: { command: "rm x" } });
    const all = events(started, flat("completed", { is_error: true, error: { message: "Permission denied" } }));
    expect(inWords(all)).toEqual(["tool Bash", "result is an error", "denied Bash"]);
    const failed = events(started, flat("completed", { is_error: true, error: { message: "./x: Permission denied" } }));
    expect(only(failed, "denied")).toEqual([]);
  });

  test.each<[string, object, object, number]>([
    ["success", { success: { content: "text" } }, { content: "text", is_error: false }, 0],
    [
      "a command that failed",
      { success: { stdout: "a", stderr: "b", exitCode: 2 } },
      { content: "a\nb", is_error: true },
      0,
    ],
    ["failure", { failure: { exitCode: 1, stdout: "1 failing" } }, { content: "1 failing", is_error: true }, 0],
    ["error", { error: { errorMessage: "no such file" } }, { content: "no such file", is_error: true }, 0],
    ["rejected", { rejected: { reason: "not allowed" } }, { content: "not allowed", is_error: true }, 1],
    ["permissionDenied", { permissionDenied: {} }, { content: "", is_error: true }, 1],
    ["an unknown key", { hologram: {} }, { is_error: true }, 0],
  ])("reads the result of a tool: %s", (_, result, expected, denials) => {
    const all = events(call("completed", { shellToolCall: { args: { command: "ls" }, result } }));
    expect(only(all, "tool_result")).toMatchObject([{ tool_use_id: "c", ...expected }]);
    expect(only(all, "denied")).toMatchObject(denials === 0 ? [] : [{ tool: "Bash", command: "ls", tool_use_id: "c" }]);
  });

  test("reports a lost connection as one retry", () => {
    const all = events(
      { type: "connection", subtype: "reconnecting" },
      { type: "retry", subtype: "starting", attempt: 2 },
      { type: "retry", subtype: "resuming", attempt: 2 },
      { type: "connection", subtype: "reconnected" },
    );
    expect(all.filter(({ type }) => type !== "ignored")).toEqual([
      { type: "retry", attempt: 2, delay_ms: null, reason: "connection lost" },
    ]);
  });

  test("takes the words of a final error as the error", () => {
    expect(inWords(events(ended("It broke.", { is_error: true })))).toEqual([
      "usage of ? turns, ?",
      "error infrastructure",
      "failed",
    ]);
    expect(only(events({ type: "result", subtype: "error" }), "error")).toMatchObject([
      { message: "Cursor ended with error." },
    ]);
  });

  test("reports event types of a future version as unknown and reads on", () => {
    const all = events({ type: "hologram" }, { type: "system", subtype: "mood" }, { a: 1 }, says("Hi"));
    expect(only(all, "unknown").map(({ name }) => name)).toEqual(["hologram", "system/mood", "object without a type"]);
    expect(texts(all)).toEqual(["Hi"]);
  });

  test("never throws, whatever JSON it gets", () => {
    const type = fc.constantFrom("assistant", "tool_call", "result", "system", "retry");
    const key = fc.constantFrom("message", "tool_call", "result", "subtype", "call_id", "error", "shellToolCall");
    fc.assert(
      fc.property(type, fc.dictionary(key, fc.jsonValue()), (kind, fields) => {
        const nested = { ...fields, type: kind, message: fields, tool_call: { xToolCall: fields } };
        decode(cursor, [JSON.stringify({ ...fields, type: kind }), JSON.stringify(nested)]);
      }),
      { seed },
    );
  });
});

describe("publicly documented outputs of Cursor", () => {
  const all = recordings("cursor");

  test("are more than 10", () => expect(all.length).toBeGreaterThan(10));

  test.each(all)("$name has no unknown event, and reads the same byte by byte", ({ bytes, exitCode }) => {
    const found = eventsOf(cursor, [bytes]);
    expect(only(found, "unknown")).toEqual([]);
    expect(only(found, "finished")).toMatchObject(exitCode === 0 ? [{ ok: true }] : []);
    const single = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    expect(eventsOf(cursor, single)).toEqual(found);
  });

  test("give the same answer with and without partial text", () => {
    const answers = ["plain-text.stream.jsonl", "plain-text.partial.jsonl", "plain-text.json.json"].map((name) => {
      const bytes = all.find((one) => one.name === name)?.bytes ?? Buffer.alloc(0);
      return only(eventsOf(cursor, [bytes]), "finished")[0]?.text;
    });
    expect(answers[0]).toStartWith("I looked at the plan");
    expect(new Set(answers).size).toBe(1);
  });
});
