import { expect, test } from "bun:test";
import { figure, peakMemory, ratio, startTimes } from "../../../scripts/lib/bench/measure.ts";

test("a figure has the smallest and the middle value, in any order of runs", () => {
  const measured = { name: "start", unit: "ms", min: 1, median: 5, runs: 3 };
  expect(figure("start", "ms", [9, 1, 5])).toEqual({ ...measured, target: null, ok: null });
});

test.each([
  [5, true],
  [4.9, false],
])("a figure's median of 5 is compared with the target %p", (target, ok) => {
  expect(figure("start", "ms", [9, 1, 5], target)).toMatchObject({ target, ok });
});

test("a ratio compares smallest with smallest and middle with middle", () => {
  const over = ratio("twice", figure("a", "ms", [2, 4, 8]), figure("b", "ms", [1, 2, 16]), 1.9);
  expect(over).toEqual({ name: "twice", unit: "x", min: 2, median: 2, runs: 3, target: 1.9, ok: false });
});

test("starts and memory of real programs are measured", async () => {
  const argv = [process.execPath, "--version"];
  const times = startTimes([argv, argv], 3);
  expect(times.map((of) => of.length)).toEqual([3, 3]);
  expect(Math.min(...times.flat())).toBeGreaterThan(0);
  const busy = [process.execPath, "-e", "for (let n = 0; n < 2e7; n++) Math.sqrt(n)"];
  expect(await peakMemory(busy, 3)).toBeGreaterThan(0);
});

test("a program that fails is not measured", () => {
  expect(() => startTimes([[process.execPath, "no-such-file.ts"]], 1)).toThrow("exit code 1");
});
