import { expect, test } from "bun:test";
import { changedLines } from "../../../src/core/text/changed-lines.ts";

test.each<[string, string, string, string[]]>([
  ["a changed line", "a\nb\nc\n", "a\nx\nc\n", ["- b", "+ x"]],
  ["nothing for equal texts with other line ends", "a\nb\n", "a\r\nb\r\n", []],
  ["nothing for lines that moved or were indented", "a\nb\n", "  b\na\n", []],
  ["one of two equal lines", "a\na\n", "a\n", ["- a"]],
  ["all lines of a new text", "", "a\n\nb\n", ["+ a", "+ b"]],
])("the changed lines are %s", (_name, before, after, expected) => {
  expect(changedLines(before, after, 10)).toEqual(expected);
});

test("of many changed lines both sides are shown, and how many are not", () => {
  const text = (mark: string) => Array.from({ length: 20 }, (_, n) => `${mark}${n}`).join("\n");
  expect(changedLines(text("a"), text("b"), 4)).toEqual(["- a0", "- a1", "+ b0", "+ b1", "  … and 36 more"]);
  expect(changedLines("", text("b"), 4)).toHaveLength(5);
});
