import { expect, test } from "bun:test";
import { countsLine, exitCodeOf, sum } from "../../../scripts/lib/tests/counts.ts";

test("test counts are added up", () => {
  const one = { passed: 1, failed: 2, skipped: 3 };
  expect(sum([one, one])).toEqual({ passed: 2, failed: 4, skipped: 6 });
  expect(sum([])).toEqual({ passed: 0, failed: 0, skipped: 0 });
});

test.each([
  [{ passed: 3, failed: 0, skipped: 0 }, "3 passed, 0 failed", 0],
  [{ passed: 3, failed: 0, skipped: 2 }, "3 passed, 0 failed, 2 skipped", 0],
  [{ passed: 3, failed: 1, skipped: 0 }, "3 passed, 1 failed", 1],
  [{ passed: 0, failed: 0, skipped: 0 }, "0 passed, 0 failed", 1],
  [{ passed: 0, failed: 0, skipped: 5 }, "0 passed, 0 failed, 5 skipped", 1],
])("a run with %o ends with its line and exit code", (counts, line, exitCode) => {
  expect(countsLine(counts)).toBe(line);
  expect(exitCodeOf(counts)).toBe(exitCode);
});
