import { expect, test } from "bun:test";
import { matchingLines } from "../../src/view/text/text.ts";

const lines = ["Nothing changed. It claims 1 task, and ticked no", "    box.", "Boxes are \u001b[31mred\u001b[0m"];

test.each([
  ["claims", [0]],
  ["no box", [0, 1]],
  ["box", [1, 2]],
  ["are red", [2]],
  ["blue", []],
])("a search for %j finds its lines, even across a fold", (wanted, expected) => {
  expect(matchingLines(lines, wanted)).toEqual(expected.map((at) => lines[at] ?? ""));
});
