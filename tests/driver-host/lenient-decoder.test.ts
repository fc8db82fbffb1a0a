import { describe, expect, test } from "bun:test";
import claudeCode from "../../drivers/claude-code.ts";
import codex from "../../drivers/codex.ts";
import type { Driver } from "../../src/driver.ts";
import { decoderKit } from "../../src/driver-host/decoder-kit.ts";
import { lenientDecoder } from "../../src/driver-host/lenient-decoder.ts";

const BLOCK = "---RALPH_STATUS---\nSTATUS: COMPLETE\nEXIT_SIGNAL: true\n---END_RALPH_STATUS---";
const RESULT = { type: "result", subtype: "success", is_error: false, result: "Over." };

function read(text: string, { decoder }: Driver = claudeCode) {
  const lenient = lenientDecoder(() => decoder?.(decoderKit) ?? { line: () => [], end: () => [] });
  const events = [...text.split("\n").flatMap(lenient.line), ...lenient.end()];
  const understood = events.filter(({ type }) => type !== "ignored" && type !== "unknown");
  return { understood, isPlainText: lenient.isPlainText() };
}

describe("an output of which the driver understands nothing", () => {
  const plain = (text: string) => ({
    isPlainText: true,
    understood: [
      { type: "text", text },
      { type: "finished", ok: true, text, duration_ms: null, cost_usd: null },
    ],
  });
  test.each([
    ["text with a block", `All is done.\n${BLOCK}`],
    ["text that quotes JSON", `I wrote\n{"a": 1}\ninto the file\nand more.\n${BLOCK}`],
  ])("is an answer: %s", (_, text) => {
    expect(read(text)).toEqual(plain(text) as never);
    expect(read(text, codex)).toEqual(plain(text) as never);
  });

  test("is an answer, too, if the CLI draws a frame around it", () => {
    const framed = BLOCK.split("\n").map((line) => `│ ${line.padEnd(30)} │`);
    expect(read(framed.join("\n"))).toEqual(plain(BLOCK) as never);
  });

  test.each([
    ["last words", "TypeError: x is not a function\n    at main"],
    ["a template of the block", "---RALPH_STATUS---\nSTATUS: IN_PROGRESS | COMPLETE | BLOCKED\n---END_RALPH_STATUS---"],
    ["a quoted block", BLOCK.replaceAll(/^/gm, "> ")],
    ["nothing", ""],
    ["events of another program", '{"type":"made.up"}\n{"type":"made.up.too"}'],
    ["too much for one answer", `${"x".repeat(1_000_001)}\n${BLOCK}`],
  ])("is none: %s", (_, text) => expect(read(text)).toEqual({ isPlainText: false, understood: [] }));

  test("may be one document on several lines", () => {
    const { understood, isPlainText } = read(`Warning: old\n${JSON.stringify(RESULT, null, 2)}\n`);
    expect(understood).toEqual([expect.objectContaining({ type: "finished", ok: true, text: "Over." })]);
    expect(isPlainText).toBe(false);
  });
});

test("text after an event of the agent is no answer", () => {
  const init = JSON.stringify({ type: "system", subtype: "init", session_id: "s" });
  expect(read(`${init}\n${BLOCK}`)).toEqual({
    isPlainText: false,
    understood: [{ type: "session_id", session_id: "s" }],
  });
});

test("an answer that was understood is read once", () => {
  const { understood } = read(JSON.stringify(RESULT));
  expect(understood.filter(({ type }) => type === "finished")).toHaveLength(1);
});
