import { expect, test } from "bun:test";
import { createLineTail } from "../../../src/effects/process/line-tail.ts";

test.each([
  ["nothing", [], []],
  ["a line without end", ["a\nb"], ["a", "b"]],
  ["CRLF", ["a\r\n", "b\r\n"], ["a", "b"]],
  ["more than 20 lines", [numbered(1, 15), numbered(16, 30)], numbered(11, 30).trimEnd().split("\n")],
  ["a long line", ["x".repeat(5000)], ["x".repeat(4096)]],
  ["a character that the limit cuts", [`€${"x".repeat(4094)}`], ["x".repeat(4094)]],
])("the tail of stderr is right for %s", (_what, chunks, lines) => {
  const tail = createLineTail();
  for (const chunk of chunks) tail.push(Buffer.from(chunk));
  expect(tail.lines()).toEqual(lines);
});

function numbered(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}\n`).join("");
}
