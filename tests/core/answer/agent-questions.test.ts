import { expect, test } from "bun:test";
import { findQuestions } from "../../../src/core/answer/agent-questions.ts";
import { extractProse } from "../../../src/core/answer/prose.ts";

const countIn = (text: string): number => findQuestions(extractProse(text.split("\n"))).length;

const CASES: [string, number][] = [
  ["Should I use SQLite or Postgres?", 1],
  ["Should I use SQLite? Which option do you prefer?", 2],
  ["Do you want me to go on?", 1],
  ["Please confirm the plan.", 1],
  ["I am waiting for your input.", 1],
  ["Let me know which one you like.", 1],
  ["I need clarification on the schema.", 1],
  ["I decided which approach to take.", 0],
  ["The docs say how should-style assertions work.", 0],
  ["function howShould() {}", 0],
  ["the shoulder Ill", 0],
  ["> Should I go on?", 0],
  ["```\nWould you like tea?\n```", 0],
  ["The dialog asks `Do you want to save?` now.", 0],
  ["Why did it fail? The port was taken.", 0],
];
for (const [text, count] of CASES)
  test(`${count} agent question(s) found in: ${text}`, () => expect(countIn(text)).toBe(count));

test("an agent's question has its line number", () => {
  expect(findQuestions(["Done.", "Ok. Shall I go on?"])).toEqual([{ text: "Shall I go on?", line: 2 }]);
});
