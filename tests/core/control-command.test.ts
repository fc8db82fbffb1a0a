import { expect, test } from "bun:test";
import { parseControl } from "../../src/core/control-command.ts";

test.each<[number, boolean]>([
  [0, false],
  [1, true],
  [1000, true],
  [1001, false],
  [1.5, false],
])("a bound raised by %p iterations is understood: %p", (iterations, understood) => {
  const text = JSON.stringify({ run: "r", pid: 7, command: { command: "extend", iterations } });
  expect(parseControl(text, "r") !== null).toBe(understood);
});

test.each<[string, unknown, boolean]>([
  ["a number and words", { number: 1, text: "Take SQLite" }, true],
  ["1,500 characters", { number: 1, text: "x".repeat(1500) }, true],
  ["more", { number: 1, text: "x".repeat(1501) }, false],
  ["no words", { number: 1, text: "  " }, false],
  ["no number of a question", { number: 0, text: "x" }, false],
])("an answer with %s is understood or not", (_, answer, understood) => {
  const text = JSON.stringify({ run: "r", pid: 1, command: { command: "answer", ...(answer as object) } });
  expect(parseControl(text, "r") !== null).toBe(understood);
});
