import { expect, test } from "bun:test";
import { parseChanges } from "../../../src/core/what-if/parse-changes.ts";

test("settings are read by their names, old ones too, and the last value counts", () => {
  const words = [
    "MAX_ITERATIONS=3",
    "MAX_ITERATIONS=5",
    "TEST_COMMAND=a=b c",
    "CLAUDE_USE_CONTINUE=no",
    "MAX_COST_USD=none",
  ];
  expect(parseChanges(words)).toEqual({
    MAX_ITERATIONS: 5,
    MAX_COST_USD: null,
    TEST_COMMAND: "a=b c",
    SESSION_CONTINUITY: false,
  });
});

test.each([
  ["MAX_ITERATIONS", "--what-if MAX_ITERATIONS has no value."],
  ["MAX_ITERATION=3", "MAX_ITERATION is no setting of ralph. Did you mean MAX_ITERATIONS?"],
  ["MAX_ITERATIONS=0", '--what-if MAX_ITERATIONS "0" is not allowed: it must be a whole number from 1, or "none".'],
])("%s is refused: %s", (word, message) => {
  expect(parseChanges([word])).toMatchObject({ message });
});
