/** The merge train, simulated: no red commit on the target, everybody settled, and few gate runs. */
import { describe, expect, test } from "bun:test";
import { batchSize, noRedRate, withSettled } from "../../../src/core/land/red-rate.ts";
import { MOST_MOVES } from "../../../src/core/land/train.ts";
import { seed } from "../../seed.ts";
import { redTargets, type SimulatedBranch, simulate } from "./simulated.ts";

/** Mulberry32: the same numbers for the same seed. */
function chances(from: number): () => number {
  let at = from | 0;
  return () => {
    at = (at + 0x6d2b79f5) | 0;
    let mixed = Math.imul(at ^ (at >>> 15), 1 | at);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function drawn(count: number, red: number, chance: () => number): SimulatedBranch[] {
  return Array.from({ length: count }, (_, at) => ({
    name: `b${at}`,
    isRed: chance() < red,
    ...(at > 0 && chance() < 0.1 ? { conflicts: `b${Math.floor(chance() * at)}` } : {}),
    ...(at > 0 && chance() < 0.05 ? { clashes: `b${Math.floor(chance() * at)}` } : {}),
  }));
}

test("10,000 landings with 2 % flakes, 5 % red, conflicts and people who push: never a red commit on the target", () => {
  const chance = chances(seed);
  let landed = 0;
  let flakes = 0;
  let innocent = 0;
  let rate = noRedRate();
  while (landed < 10_000) {
    const branches = drawn(16, 0.05, chance);
    const done = simulate({ branches, chance, flakes: 0.02, moves: 0.05, rate });
    expect(redTargets(done, branches)).toEqual([]);
    const { settled } = done.train;
    expect(settled.map(({ name }) => name).sort()).toEqual(branches.map(({ name }) => name).sort());
    landed += settled.filter(({ as }) => as === "landed").length;
    flakes += done.flakes;
    rate = done.train.rate;
    const isGuilty = (name: string) => branches.some((one) => one.name === name && (one.isRed || one.clashes));
    innocent += settled.filter(({ name, why }) => why === "red" && !isGuilty(name)).length;
  }
  expect(flakes).toBeGreaterThan(20);
  // Twice red by chance on the same tree: 0.04 % of the trees.
  expect(innocent).toBeLessThan(10);
});

test("what lands is a commit that was green itself", () => {
  const chance = chances(seed + 1);
  for (let at = 0; at < 200; at += 1) {
    const branches = drawn(12, 0.3, chance);
    const done = simulate({ branches, chance });
    expect(redTargets(done, branches)).toEqual([]);
    for (const { name, why } of done.train.settled.filter(({ as }) => as === "returned")) {
      const branch = branches.find((one) => one.name === name);
      expect(why === "conflict" ? branch?.conflicts : branch?.isRed || branch?.clashes).toBeTruthy();
    }
  }
});

describe("gate runs", () => {
  const runs = (red: number, flakes: number) => {
    const chance = chances(seed + 2);
    let gateRuns = 0;
    for (let at = 0; at < 1000; at += 1) {
      const branches = Array.from({ length: 16 }, (_, place) => ({ name: `b${place}`, isRed: chance() < red }));
      gateRuns += simulate({ branches, chance, flakes, rate: { red: red * 60, settled: 60 } }).gateRuns;
    }
    return gateRuns / 1000;
  };

  test("for 16 branches: one without red ones, at most 7.2 at 5 % red, second runs and 2 % flakes included", () => {
    expect(runs(0, 0)).toBe(1);
    expect(runs(0.05, 0.02)).toBeLessThan(7.2);
  });

  test("the batch shrinks as more are red, and grows again", () => {
    const sizes = [0, 3, 12, 24, 50].map((red) => batchSize({ red, settled: 60 }));
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
    expect(sizes[0]).toBeGreaterThan(15);
    expect(sizes.at(-1)).toBe(1);
    let rate = { red: 40, settled: 60 };
    const before = batchSize(rate);
    for (let at = 0; at < 100; at += 1) rate = withSettled(rate, { red: 0, settled: 1 });
    expect(batchSize(rate)).toBeGreaterThan(before);
  });
});

test("a red target blames nobody: each branch is tried alone, and what mends it lands", () => {
  const branches = ["a", "b", "mend", "c"].map((name) => ({ name, isRed: name === "c", mends: name === "mend" }));
  const done = simulate({
    branches: branches.map((one) => ({ ...one, isRed: false })),
    chance: () => 1,
    redTarget: true,
  });
  expect(done.train.settled.filter(({ as }) => as === "landed").map(({ name }) => name)).toContain("mend");
  const hopeless = simulate({ branches: branches.filter(({ mends }) => !mends), chance: () => 1, redTarget: true });
  expect(hopeless.train.settled.map(({ as, why }) => `${as} ${why}`)).toEqual(Array(3).fill("left red_target"));
  expect(hopeless.targets).toEqual([]);
});

test("a target that others keep moving is left to them in the end", () => {
  const branches = ["a", "b"].map((name) => ({ name, isRed: false }));
  const done = simulate({ branches, chance: () => 0, moves: 1, flakes: 0 });
  expect(done.train.settled.map(({ as, why }) => `${as} ${why}`)).toEqual(["left moving_target", "left moving_target"]);
  expect(done.steps).toBeLessThan(4 * MOST_MOVES);
});
