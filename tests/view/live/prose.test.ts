import { expect, test } from "bun:test";
import { proseSoFar } from "../../../src/view/live/prose.ts";

const WORDS = "It greets by name now.\n\n- one\n- two";
const BLOCK = `---RALPH_STATUS---
STATUS: IN_PROGRESS
TASKS_COMPLETED_THIS_LOOP: 1
EXIT_SIGNAL: false
RECOMMENDATION: go on
---END_RALPH_STATUS---`;

test("an answer that is being written shows its words, and nothing of its status block at any letter", () => {
  const answer = `${WORDS}\n\n${BLOCK}\n`;
  for (let length = WORDS.length; length <= answer.length; length += 1) {
    // One or two dashes may still become anything.
    const isOpen = /\n-{1,2}$/.test(answer.slice(0, length));
    if (!isOpen) expect([length, proseSoFar(answer.slice(0, length))]).toEqual([length, WORDS]);
  }
});

test("words before and after a block, rules and lists stay", () => {
  expect(proseSoFar(`a\n${BLOCK}\nb`)).toBe("a\n\n\n\n\n\n\nb");
  for (const text of ["a\n---\nb", "a\n- b", "---- x", "a\n--- b"]) expect(proseSoFar(text)).toBe(text);
});
