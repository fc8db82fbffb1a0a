import { describe, expect, test } from "bun:test";
import type { AgentEvent } from "../../../src/driver.ts";
import { decoderKit } from "../../../src/driver-host/decoder-kit.ts";
import { BUILT_IN_DRIVERS } from "../../../src/driver-host/registry.ts";
import { type ShellDecoderOptions, shellDecoder } from "../../../src/driver-host/shell/shell-decoder.ts";
import { only } from "../../drivers/recordings/recordings.ts";

/** The filter of these tests prints a line's `say`. */
const say = (lines: readonly string[]) => lines.map((line) => JSON.parse(line).say ?? "").join("");

function read(lines: readonly string[], options: Partial<ShellDecoderOptions> = {}): AgentEvent[] {
  const decoder = shellDecoder(decoderKit, { own: null, known: BUILT_IN_DRIVERS, filter: null, ...options });
  return [...lines.flatMap((line) => decoder.line(line)), ...decoder.end()];
}

const claude = [
  { type: "system", subtype: "init", session_id: "5e550001-0000-4000-8000-000000000001" },
  { type: "assistant", message: { id: "m", content: [{ type: "text", text: "Hello" }] } },
  {
    type: "result",
    subtype: "success",
    is_error: false,
    result: "Hello",
    session_id: "5e550001-0000-4000-8000-000000000001",
  },
].map((event) => JSON.stringify(event));

describe("the output of a bash driver's agent", () => {
  test("is read by the decoder of a known CLI, and the filter stops once that finds text", () => {
    const asked: number[] = [];
    const filter = (lines: readonly string[]) => {
      asked.push(lines.length);
      return "never";
    };
    const events = read(claude, { filter });
    expect(only(events, "text")).toEqual([{ type: "text", text: "Hello" }]);
    expect(only(events, "finished")).toMatchObject([{ ok: true, text: "Hello" }]);
    expect(asked).toEqual([1]);
  });

  test("is filtered for an unknown CLI: the text grows and becomes one block", () => {
    const events = read(['{"say":"one "}', '{"other":1}', '{"say":"two"}'], { filter: say });
    expect(only(events, "partial").map(({ text }) => text)).toEqual(["one ", "one two"]);
    expect(only(events, "text")).toEqual([{ type: "text", text: "one two" }]);
    expect(only(events, "finished")).toEqual([]);
  });

  test("gets its text from the filter if a known CLI prints none, and keeps the final event", () => {
    const events = read(['{"type":"result","is_error":false,"say":"done"}'], { filter: say });
    expect(only(events, "text")).toEqual([{ type: "text", text: "done" }]);
    expect(only(events, "finished")).toMatchObject([{ ok: true, text: null }]);
  });

  test("is filtered in growing batches, and no line is lost", () => {
    let runs = 0;
    const lines = Array.from({ length: 5000 }, (_, n) => JSON.stringify({ say: `${n} ` }));
    const filter = (some: readonly string[]) => {
      runs += 1;
      return say(some);
    };
    const [text] = only(read(lines, { filter }), "text");
    expect(text?.text).toBe(Array.from({ length: 5000 }, (_, n) => `${n} `).join(""));
    expect(runs).toBeLessThan(250);
  });

  test("has its event types reported for an unknown CLI without a filter", () => {
    const events = read(['{"type":"hologram","session_id":"s-1"}', '{"type":"scent"}']);
    expect(only(events, "unknown").map(({ name }) => name)).toEqual(["hologram", "scent"]);
    expect(only(events, "session_id")).toEqual([{ type: "session_id", session_id: "s-1" }]);
  });

  test.each<[string, string[], string, boolean]>([
    ["plain text", ["Hello", "", "World"], "Hello\n\nWorld", false],
    [
      "an answer as one document",
      ['{"result":"Hello","session_id":"0f8e7d6c-1234-4abc-9def-001122334455"}'],
      "Hello",
      true,
    ],
    ["a document on several lines", ["{", '  "status": "COMPLETE",', '  "summary": "Hello"', "}"], "Hello", true],
  ])("is the answer if it is %s", (_, lines, expected, isFinal) => {
    const events = read(lines);
    const texts = [
      ...only(events, "text").map(({ text }) => text),
      ...only(events, "finished").map(({ text }) => text),
    ];
    expect(texts.filter((text) => text !== null)).toEqual([expected]);
    expect(only(events, "finished")).toHaveLength(isFinal ? 1 : 0);
  });

  test("gives no event for lines that are not JSON, so an error in them is found", () => {
    const decoder = shellDecoder(decoderKit, { own: null, known: BUILT_IN_DRIVERS, filter: null });
    expect(decoder.line("fatal: cannot connect")).toEqual([]);
  });

  test("is read by its own CLI's decoder, whatever it looks like at first", () => {
    const cursor = BUILT_IN_DRIVERS.find(({ name }) => name === "cursor") ?? null;
    const lines = [
      '{"type":"system","subtype":"init","session_id":"0f8e7d6c-1234-4abc-9def-001122334455"}',
      '{"type":"tool_call","subtype":"started","call_id":"c","tool_call":{"shellToolCall":{"args":{"command":"ls"}}}}',
    ];
    expect(only(read(lines, { own: cursor }), "tool_use")).toMatchObject([{ tool: "Bash", input: { command: "ls" } }]);
  });
});

test("the usage of a thread that a bash driver resumes is counted once", () => {
  const used = { ...decoderKit.emptyUsage(), input_tokens: 1000, output_tokens: 100 };
  const lines = [
    { type: "thread.started", thread_id: "t1" },
    { type: "turn.completed", usage: { input_tokens: 2500, output_tokens: 180 } },
  ].map((event) => JSON.stringify(event));
  const [told] = only(read(lines, { call: { resume: "t1", used } }), "usage");
  expect([told?.input_tokens, told?.output_tokens]).toEqual([1500, 80]);
});

test("what a known CLI reports on stderr alone is read for a bash driver too", () => {
  const decoder = shellDecoder(decoderKit, { own: null, known: BUILT_IN_DRIVERS, filter: null });
  decoder.line(JSON.stringify({ type: "step_start", timestamp: 1000, sessionID: "ses_1", part: {} }));
  const log = 'timestamp=2026-11-21T20:00:00Z level=ERROR message="stream error" error="AI_APICallError: Rate limited"';
  expect(only(decoder.end([log]), "error")).toEqual([{ type: "error", class: "limit", message: "Rate limited" }]);
});

test.each([
  [{ error: "You've hit your usage limit. Try again at 3:15 PM." }, "limit"],
  [{ error: { message: "Invalid API key" }, status: 401 }, "auth"],
  [{ is_error: true, error: { message: "Oh." } }, "infrastructure"],
] as const)("an object that has an error in the place of an answer is a failure: %j", (object, of) => {
  const events = read([JSON.stringify(object)]);
  expect(only(events, "error").map((event) => event.class)).toEqual([of]);
  expect(only(events, "finished")).toMatchObject([{ ok: false }]);
});

test("an answer that names an error beside its text is an answer", () => {
  const events = read([JSON.stringify({ result: "Mended it.", error: "none" })]);
  expect(only(events, "error")).toEqual([]);
  expect(only(events, "finished")).toMatchObject([{ ok: true, text: "Mended it." }]);
});
