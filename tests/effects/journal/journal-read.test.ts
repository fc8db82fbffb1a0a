import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { journalEvents, runAfter } from "../../../src/effects/journal/journal-read.ts";
import { testFolder } from "../../folders.ts";

const folder = testFolder("journal");

test("a journal read without words still has failed tools", () => {
  const path = join(folder, "events.jsonl");
  const line = (seq: number, body: object) =>
    `${JSON.stringify({ v: 1, seq, at: "2026-03-04T12:00:00.000Z", run: "0001-20260304-120000", iteration: 1, ...body })}\n`;
  const result = { type: "agent_tool_finished", call: 1, tool_use_id: "t" };
  writeFileSync(
    path,
    line(1, { type: "agent_text", call: 1, text: "words" }) +
      line(2, { ...result, content: "fine", is_error: false }) +
      line(3, { ...result, content: `it says {"is_error":true}`, is_error: false }) +
      line(4, { ...result, content: "no", is_error: true, size: 9 }) +
      line(5, { type: "agent_tool_started", call: 1, tool_id: "u", tool: "Read", input: { file_path: "a" } }),
  );
  expect([...journalEvents(path, { words: false })].map(({ seq }) => seq)).toEqual([4, 5]);
  expect([...journalEvents(path)].map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
});

test("the next run is found even if the run before it was deleted", () => {
  const runs = ["0002-20260304-120000", "0009-20260304-120000", "10000-20260304-120000"];
  expect(runAfter(runs, "0002-20260304-120000")).toBe("0009-20260304-120000");
  expect(runAfter(runs, "0005-20260304-120000")).toBe("0009-20260304-120000");
  expect(runAfter(runs, "0009-20260304-120000")).toBe("10000-20260304-120000");
  expect(runAfter(runs, "10000-20260304-120000")).toBeNull();
});
