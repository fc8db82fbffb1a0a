import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { analyse } from "../../../src/core/answer/analysis.ts";
import { analyzeReport } from "../../../src/core/answer/analyze-report.ts";
import { finalText } from "../../../src/core/answer/collected-output.ts";
import { countSignals, noSignals } from "../../../src/core/decide/completion-signals.ts";
import { readRecorded as read } from "./read-recorded.ts";

const ID = "0f8e7d6c-1234-4abc-9def-001122334455";
const RESULT = { type: "result", subtype: "success", is_error: false, result: "Over.", session_id: ID };
const INIT = { type: "system", subtype: "init", session_id: ID };
const FLAT = { status: "COMPLETE", exit_signal: true, summary: "All in." };

describe("detecting the format of", () => {
  const one = JSON.stringify(RESULT);
  const pretty = JSON.stringify(RESULT, null, 2);
  const lines = `${JSON.stringify(INIT)}\n${one}\n`;
  const formats: [string, string, string, string | null][] = [
    ["one document", one, "json", "Over."],
    ["a document with a byte order mark", `\uFEFF${one}`, "json", "Over."],
    ["a document after blanks", `\n  ${one}`, "json", "Over."],
    ["a pretty-printed document", pretty, "json", "Over."],
    ["a pretty-printed document with CRLF", pretty.replaceAll("\n", "\r\n"), "json", "Over."],
    ["a document after a warning", `Warning: deprecated\n${one}\n`, "json", "Over."],
    ["a pretty-printed document between warnings", `Warning: x\n${pretty}\nbye\n`, "json", "Over."],
    ["an array", JSON.stringify([INIT, RESULT]), "json_array", "Over."],
    ["a pretty array", JSON.stringify([INIT, RESULT], null, 2), "json_array", "Over."],
    ["JSON Lines", lines, "jsonl", "Over."],
    ["JSON Lines with CRLF", lines.replaceAll("\n", "\r\n"), "jsonl", "Over."],
    ["JSON Lines among other lines", `noise\nmore noise\n${lines}[x] noise\nnoise {\n`, "jsonl", "Over."],
    ["JSON Lines cut in the last line", `${lines}{"type":"resu`, "jsonl", "Over."],
    ["text", "Over.\n", "text", "Over.\n"],
    ["text that begins with a bracket", "{ this is not json }\n", "text", "{ this is not json }\n"],
    ["text that quotes JSON", 'I wrote\n{"a": 1}\ninto the file\nand more.', "text", null],
    ["a JSON scalar", '"hello"', "text", '"hello"'],
    ["empty output", "", "text", ""],
  ];
  for (const [what, text, format, answer] of formats) {
    test(what, () => {
      const recorded = read(text);
      expect(recorded.format).toBe(format as typeof recorded.format);
      if (answer !== null) expect(finalText(recorded.output)).toBe(answer);
    });
  }
});

describe("identifying the driver", () => {
  const shapes: [string, object, string | null][] = [
    ["claude-code", INIT, "claude-code"],
    ["claude-code, an old flat object", { result: "x", session_id: ID }, "claude-code"],
    ["codex", { type: "thread.started", thread_id: ID }, "codex"],
    ["opencode", { type: "step_start", timestamp: 1, sessionID: "ses_1", part: {} }, "opencode"],
    ["copilot", { type: "assistant.turn_start", data: { turnId: "1" }, id: "1" }, "copilot"],
    ["cursor", { type: "tool_call", subtype: "started", tool_call: {} }, "cursor"],
    ["cursor, by its first event", { type: "system", subtype: "init", apiKeySource: "login", model: "Auto" }, "cursor"],
    [
      "claude-code, by its first event",
      { type: "system", subtype: "init", apiKeySource: "none", tools: ["Bash"] },
      "claude-code",
    ],
    ["as no known driver", { status: "COMPLETE" }, null],
    ["as no known driver, by an unknown type", { type: "made.up", x: 1 }, null],
  ];
  for (const [what, shape, driver] of shapes) {
    test(what, () => expect(read(`${JSON.stringify(shape)}\n`).driver).toBe(driver));
  }
  test("is skipped for a requested driver", () => expect(read("x", { driver: "codex" }).driver).toBe("codex"));
});

test("flat claims of no known driver are read", () => {
  const recorded = read(
    JSON.stringify({ ...FLAT, permission_denials: [{ tool_name: "Bash", tool_input: { command: "ls" } }] }),
  );
  expect(finalText(recorded.output)).toBe("All in.");
  expect(analyse(recorded.output, null, { allowedTools: [] })).toMatchObject({
    exit_signal: true,
    status: "COMPLETE",
    denied_commands: ["Bash(ls)"],
    work_summary: "All in.",
  });
});

test("events of no known driver are counted as unknown", () => {
  expect(read('{"type":"made.up"}\n{"type":"made.up.too"}\n')).toMatchObject({
    events: 2,
    unknownEvents: 2,
    driver: null,
  });
});

describe("a session id", () => {
  const idOf = ({ output, isResumable }: ReturnType<typeof read>) => [output.sessionId, isResumable];

  test("is told as the output names it, even if the driver's CLI cannot resume it", () => {
    expect(idOf(read(JSON.stringify(RESULT)))).toEqual([ID, true]);
    expect(idOf(read(JSON.stringify({ ...RESULT, session_id: "nope" })))).toEqual(["nope", false]);
    expect(idOf(read(JSON.stringify({ ...FLAT, metadata: { session_id: "any-word" } })))).toEqual(["any-word", true]);
  });

  test("that is a flag or several words is none", () => {
    for (const session_id of ["--help", "-p x", "two words"])
      expect(idOf(read(JSON.stringify({ ...FLAT, session_id })))).toEqual([null, false]);
  });
});

test("a failed call without an error event gets the last lines of both streams as its error", () => {
  const { output } = read("", { exitCode: 1, stderr: "No conversation found with session ID: x\n" });
  expect(output.error).toEqual({ class: "session", message: "No conversation found with session ID: x" });
  expect(read("Over.", { exitCode: 0, stderr: "error: y" }).output.error).toBeNull();
});

describe("recorded runs of Claude Code", () => {
  const folder = join(import.meta.dirname, "..", "..", "fixtures", "agent-output", "claude");
  const now = Date.parse("2026-11-21T20:00:00Z");
  const runs: [string, object][] = [
    [
      "write-file-complete.stream.jsonl",
      { exit_signal: true, status: "COMPLETE", tests_status: "PASSING", is_error: false },
    ],
    ["plain-text.partial.jsonl", { exit_signal: false, exit_signal_explicit: true, status: "IN_PROGRESS" }],
    ["no-status-block.json.json", { status: null, has_completion_signal: false, is_completion_indicator: false }],
    ["asks-question.stream.jsonl", { asking_questions: true, question_count: 3 }],
    [
      "permission-denied-write.stream.jsonl",
      { denied_commands: ["Write"], has_permission_denials: true, status: "BLOCKED" },
    ],
    ["rate-limit.stream.jsonl", { is_error: true, usage_limit: { kind: "rate_limit" } }],
    ["usage-limit.json.json", { is_error: true, usage_limit: { kind: "usage_limit" } }],
    ["subscription-usage-limit.json.json", { usage_limit: { resets_at: "2026-11-21T21:42:00.000Z" } }],
    ["rate-limit-then-ok.stream.jsonl", { is_error: false, usage_limit: null, status: "IN_PROGRESS" }],
    ["mid-stream-error.stream.jsonl", { is_error: true, usage_limit: null, has_completion_signal: false }],
  ];
  for (const [file, expected] of runs) {
    test(file, () => {
      const { output, driver, unknownEvents } = read(readFileSync(join(folder, file), "utf8"));
      expect(driver).toBe("claude-code");
      expect(unknownEvents).toBe(0);
      expect(analyse(output, null, { allowedTools: [], now })).toMatchObject(expected);
    });
  }

  test("the answer is the same from a stream and from one document", () => {
    const modes = [
      "write-file-complete.json.json",
      "write-file-complete.stream.jsonl",
      "write-file-complete.partial.jsonl",
    ];
    const answers = modes.map((file) => finalText(read(readFileSync(join(folder, file), "utf8")).output));
    expect(new Set(answers).size).toBe(1);
  });
});

test("the report continues its counters across files and states each verdict", () => {
  const files = ["a.json", "b.json"].map((file) => ({ file, recorded: read(JSON.stringify({ ...RESULT, ...FLAT })) }));
  const { report, lines } = analyzeReport(files, { allowedTools: [], signals: noSignals(), countSignals });
  expect(report.signals.done_signals).toEqual([1, 2]);
  expect(report.iterations[1]).toMatchObject({
    file: "b.json",
    driver: "claude-code",
    format: "json",
    session_id: ID,
    events: 1,
  });
  expect(lines.slice(0, 2)).toEqual([
    "1. a.json (claude-code, json, 1 event)",
    "  Done signal: yes, EXIT_SIGNAL is true (fields of the answer).",
  ]);
});

test("a document deeper than any real one is text", () => {
  for (const deep of [`${"[".repeat(60_000)}${"]".repeat(60_000)}`, `${'{"a":'.repeat(60_000)}1${"}".repeat(60_000)}`])
    expect(read(deep)).toMatchObject({ driver: null, format: "text", events: 0 });
});
