import { expect, test } from "bun:test";
import { closestMatch, didYouMean, editDistance } from "../../../src/core/settings/suggest.ts";

test.each([
  ["", "", 0],
  ["", "abc", 3],
  ["calls", "calls", 0],
  ["clals", "calls", 1],
  ["call", "calls", 1],
  ["kitten", "sitting", 3],
] as const)("the distance from %p to %p is %p edits, a swap of neighbours counting as one", (a, b, distance) => {
  expect(editDistance(a, b)).toBe(distance);
  expect(editDistance(b, a)).toBe(distance);
});

const flags = ["--calls", "--max-cost", "--max-tokens", "--max-iterations", "--live"];

test.each([
  ["--call", "--calls"],
  ["--CALLS", "--calls"],
  ["-calls", "--calls"],
  ["--cost", "--max-cost"],
  ["--max-itertaions", "--max-iterations"],
  ["--frobnicate", null],
  ["--max", null],
  ["", null],
])("the mistyped flag %p means %p", (word, meant) => {
  expect(closestMatch(word, flags)).toBe(meant);
});

test("a word contained in two candidates suggests neither", () => {
  expect(closestMatch("timeout", ["--idle-timeout", "--write-timeout"])).toBeNull();
});

test("no suggestion is made without a close candidate", () => {
  expect(didYouMean("zzz", flags)).toBe("");
  expect(didYouMean("--liv", flags)).toBe(" Did you mean --live?");
});
