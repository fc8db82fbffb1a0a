/** The bounds of a worker hold for all its tasks together. */
import { expect, test } from "bun:test";
import { boundsLeft, useOf } from "../../../src/core/fleet/worker-bounds.ts";
import { settingsOf, stateOf } from "../given.ts";

const run = (iterations: number, cost_usd: number, input_tokens = 0) =>
  stateOf({ iterations, usage: { ...stateOf().usage, cost_usd, input_tokens } });
const settings = settingsOf({ MAX_ITERATIONS: 5, MAX_COST_USD: 10, MAX_TOKENS: 1000, MAX_TIME: 340 });

test("the first task may use all of it, the next what is left", () => {
  expect(boundsLeft(settings, useOf([], 0))).toEqual({
    flags: {
      MAX_ITERATIONS: { text: "5", flag: "--max-iterations" },
      MAX_COST_USD: { text: "10.00", flag: "--max-cost" },
      MAX_TOKENS: { text: "1000", flag: "--max-tokens" },
      MAX_TIME: { text: "20400s", flag: "--max-time" },
    },
  });
  expect(boundsLeft(settings, useOf([run(2, 3.5, 100), run(1, 1.25, 200)], 600_500))).toEqual({
    flags: {
      MAX_ITERATIONS: { text: "2", flag: "--max-iterations" },
      MAX_COST_USD: { text: "5.25", flag: "--max-cost" },
      MAX_TOKENS: { text: "700", flag: "--max-tokens" },
      MAX_TIME: { text: "19799s", flag: "--max-time" },
    },
  });
});

test.each([
  ["MAX_ITERATIONS", [run(2, 0), run(3, 0)], 0],
  ["MAX_COST_USD", [run(1, 9), run(1, 1.5)], 0],
  ["MAX_TOKENS", [run(1, 0, 1000)], 0],
  ["MAX_TIME", [], 340 * 60_000],
] as const)("%s that is used up leaves no other task", (reached, runs, ms) => {
  expect(boundsLeft(settings, useOf(runs, ms))).toEqual({ reached });
});

test("what is not bounded stays so", () => {
  expect(boundsLeft(settingsOf({}), useOf([run(100, 1000)], 1e9))).toEqual({ flags: {} });
});
