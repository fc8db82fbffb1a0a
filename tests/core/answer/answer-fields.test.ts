import { expect, test } from "bun:test";
import { fieldClaims } from "../../../src/core/answer/answer-fields.ts";

test.each<[unknown, number | null]>([
  [0, 0],
  [0.5, 50],
  [0.999, 100],
  [1, 1],
  [80, 80],
  [99.6, 100],
  [250, 100],
  [-3, 0],
  [-0.5, 0],
  ["80", null],
  [Number.NaN, null],
])("a confidence of %p means %p percent, since a value below 1 is a fraction", (confidence, percent) =>
  expect(fieldClaims({ confidence }).confidence).toBe(percent),
);

test.each<[Record<string, unknown>, number]>([
  [{ error_count: 3, metadata: { has_errors: true } }, 3],
  [{ metadata: { has_errors: true } }, 1],
  [{ metadata: { has_errors: "true" } }, 1],
  [{ metadata: { has_errors: false } }, 0],
  [{ error_count: -1 }, 0],
  [{ error_count: 0.5 }, 0],
  [{}, 0],
])("the field %j counts as %p errors", (fields, count) => expect(fieldClaims(fields).error_count).toBe(count));

test("the metadata's files win over the flat ones, and zero is a valid count", () => {
  expect(fieldClaims({ files_modified: 4, metadata: { files_changed: 0 } }).files_modified).toBe(0);
  expect(fieldClaims({ files_modified: 4, metadata: { files_changed: "2" } }).files_modified).toBe(4);
  expect(fieldClaims({}).files_modified).toBeNull();
});

test.each<[unknown, string | null]>([
  [" in_progress ", "IN_PROGRESS"],
  ["blocked", "BLOCKED"],
  ["COMPLETE", "COMPLETE"],
  ["DONE", null],
  [7, null],
])("the status %p is read as %p", (status, read) => expect(fieldClaims({ status }).status).toBe(read as never));

test.each<[unknown, string | null]>([
  ["TEST_ONLY", "TESTING"],
  ["testing", "TESTING"],
  ["Implementation", "IMPLEMENTATION"],
  ["DOCUMENTATION", "DOCUMENTATION"],
  ["REFACTORING", "REFACTORING"],
  ["TESTS", null],
  [1, null],
])("the work type %p is read as %p", (work_type, read) =>
  expect(fieldClaims({ work_type }).work_type).toBe(read as never),
);

test.each<[unknown, number]>([
  [["a", "b"], 2],
  [[], 0],
  ["a", 0],
  [undefined, 0],
])("of the progress indicators %j there are %p", (progress_indicators, count) =>
  expect(fieldClaims({ metadata: { progress_indicators } }).progress_indicators).toBe(count),
);

test.each<[unknown, boolean | null]>([
  [true, true],
  [false, false],
  [" True ", true],
  ["false", false],
  ["no", false],
  ["yes", null],
  [1, null],
  [undefined, null],
])("an exit signal of %p reads as %p", (exit_signal, read) =>
  expect(fieldClaims({ exit_signal }).exit_signal).toBe(read),
);
