/** How large a batch is, by how many branches were red lately. */
import { expect, test } from "bun:test";
import { batchSize, expectedRed, noRedRate, withSettled } from "../../../src/core/land/red-rate.ts";

test("before anything is known one in twenty is expected to be red, and each branch that is settled counts", () => {
  expect(expectedRed(noRedRate())).toBe(1 / 20);
  expect(expectedRed({ red: 3, settled: 20 })).toBe(4 / 40);
  expect(expectedRed({ red: 0, settled: 60 })).toBe(1 / 80);
});

test("older branches count half once more than 64 are counted", () => {
  const full = withSettled({ red: 4, settled: 60 }, { red: 2, settled: 4 });
  expect(full).toEqual({ red: 6, settled: 64 });
  expect(withSettled(full, { red: 0, settled: 2 })).toEqual({ red: 3, settled: 33 });
});

// The sizes with the fewest gate runs for each branch, by the formula at `runsEach`.
test.each([
  [0, 0, 9],
  [6, 60, 5],
  [12, 60, 3],
  [20, 60, 2],
  [30, 60, 1],
  [64, 64, 1],
])("%d red ones of %d make batches of %d", (red, settled, size) => {
  expect(batchSize({ red, settled })).toBe(size);
});
