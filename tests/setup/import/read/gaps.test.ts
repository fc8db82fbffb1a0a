import { expect, test } from "bun:test";
import { findGaps } from "../../../../src/setup/import/read/gaps.ts";
import { growth, IN_PROPORTION } from "../../../growth.ts";

const DOCUMENT = "# Shop\n\n## Requirements\n\n- FR-1: Sign in\n- FR-2: Pay\n";

test.each([
  ["FR-1 and FR-2", []],
  ["(FR-1), **FR-2**:", []],
  ["FR-12 xFR-1 FR-2", ["FR-1"]],
  ["", ["FR-1", "FR-2"]],
] as const)("the gaps of a file with the text %p", (text, missing) =>
  expect(findGaps(DOCUMENT, [text])).toEqual([...missing]),
);

test("the gaps of a file without blanks are found in linear time", async () => {
  const searched = (text: string) => findGaps(DOCUMENT, [text]);
  expect(await growth((size) => "a".repeat(size), searched, 1_000_000)).toBeLessThan(IN_PROPORTION);
  expect(searched("a".repeat(1_000_000))).toEqual(["FR-1", "FR-2"]);
});
