import { expect, test } from "bun:test";
import { completionPhrase, INDICATOR_CONFIDENCE } from "../../../src/core/answer/completion-phrase.ts";
import { extractProse } from "../../../src/core/answer/prose.ts";

const confidenceOf = (text: string): number => completionPhrase(extractProse(text.split("\n")))?.confidence ?? 0;

const CLAIMS = [
  "All tasks are complete.",
  "All the remaining items in @fix_plan.md have been checked off.",
  "all 12 tasks done",
  "Every task is finished now.",
  "The project is complete.",
  "PROJECT COMPLETE",
  "Everything is implemented and tested.",
  "There is nothing left to do.",
  "No more tasks remain.",
  "The work is ready for review.",
  "I could not find a bug.\nAll requirements are met.",
];
for (const text of CLAIMS) {
  test(`a completion indicator: ${text}`, () =>
    expect(confidenceOf(text)).toBeGreaterThanOrEqual(INDICATOR_CONFIDENCE));
}

const NOT_ENOUGH = [
  "The parser is done.",
  "Task completed: the retry queue",
  "Nothing to do here.",
  "Everything else is up to date.",
  "Not all tasks are complete.",
  "The project is not complete yet.",
  "I can't say that the project is complete.",
  "Once the tests pass, all tasks are complete.",
  "If all tasks are done I will stop.",
  "Are all tasks complete?",
  "All tasks are complete except the docs.",
  "The project will soon be complete; it should be project complete.",
  "The plan says `all tasks are complete`.",
  'It printed "all tasks are complete" and went on.',
  "> All tasks are complete.",
  "```\nAll tasks are complete.\n```",
  "The migration is incomplete and abandoned.",
  "Almost everything is done.",
  "small tasks done",
];
for (const text of NOT_ENOUGH) {
  test(`not a completion indicator: ${text}`, () => expect(confidenceOf(text)).toBeLessThan(INDICATOR_CONFIDENCE));
}

test("denied completion words and parts of words have no confidence at all", () => {
  expect(confidenceOf("I have not done anything. It is incomplete, unfinished, abandoned.")).toBe(0);
});

test("the strongest completion phrase has its line number", () => {
  expect(completionPhrase(["The parser is done.", "", "All tasks are done."])).toEqual({
    confidence: 80,
    phrase: "All tasks are done",
    line: 3,
  });
});

test("the strongest claim counts, even before a weaker one", () => {
  expect(completionPhrase(["All tasks are complete.", "The parser is done."])).toMatchObject({
    confidence: 80,
    line: 1,
  });
  expect(completionPhrase(["The parser is done.", "All tasks are complete."])).toMatchObject({
    confidence: 80,
    line: 2,
  });
});

test.each<[string, number]>([
  ["All tasks are complete.", 80],
  ["The project is complete.", 80],
  ["Everything is implemented.", 70],
  ["There is nothing left to do.", 70],
  ["No more tasks remain.", 70],
  ["The work is ready for review.", 60],
  ["Nothing to do here.", 30],
  ["The parser is done.", 20],
  ["The index is up to date.", 15],
])("%p has a confidence of %p percent", (text, confidence) => expect(confidenceOf(text)).toBe(confidence));

test("a negation more than six words before a claim belongs to something else", () => {
  expect(confidenceOf("I did not see one two three four five that all tasks are complete.")).toBe(80);
  expect(confidenceOf("I did not see one two three that all tasks are complete.")).toBe(0);
});
