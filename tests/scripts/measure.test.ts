import { expect, test } from "bun:test";
import { figure, peakMemory, startTimes } from "../../scripts/lib/measure.ts";

test("a figure is the smallest and the middle value, in any order of runs", () => {
  expect(figure("start", "ms", [9, 1, 5])).toEqual({ name: "start", unit: "ms", min: 1, median: 5, runs: 3 });
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
