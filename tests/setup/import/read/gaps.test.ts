import { expect, test } from "bun:test";
import { findGaps } from "../../../../src/setup/import/read/gaps.ts";

const DOCUMENT = "# Shop\n\n## Requirements\n\n- FR-1: Sign in\n- FR-2: Pay\n";

test.each([
  ["FR-1 and FR-2", []],
  ["(FR-1), **FR-2**:", []],
  ["FR-12 xFR-1 FR-2", ["FR-1"]],
  ["", ["FR-1", "FR-2"]],
] as const)("of a file that says %p", (text, missing) => expect(findGaps(DOCUMENT, [text])).toEqual([...missing]));

test("of a megabyte without blanks are found in a moment", () => {
  const start = performance.now();
  expect(findGaps(DOCUMENT, ["a".repeat(1_000_000)])).toEqual(["FR-1", "FR-2"]);
  expect(performance.now() - start).toBeLessThan(1500);
});
