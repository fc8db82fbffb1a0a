/** The merge train, simulated: no red commit on the target, everybody settled, and few gate runs. */
import { describe, expect, test } from "bun:test";
import { batchSize, noRedRate, withSettled } from "../../../src/core/land/red-rate.ts";
import {
  afterLandStep,
  type LandOutcome,
  type LandStep,
  MOST_MOVES,
  newTrain,
  nextLandStep,
  type Train,
} from "../../../src/core/land/train.ts";
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

describe("step by step", () => {
  const few = { red: 0, settled: 60 };
  const stackOf = (...names: string[]) => names.map((name) => ({ name, commit: `${name}1` }));
  const stacked = (...names: string[]): LandOutcome => ({
    kind: "stacked",
    stack: stackOf(...names),
    unfit: [],
    there: [],
  });
  const tested = (green: boolean): LandOutcome => ({ kind: "tested", green });
  /** Does what the train says, with these outcomes. @returns what it said before each, and at last */
  function steps(train: Train, ...outcomes: LandOutcome[]): { said: LandStep[]; train: Train } {
    const said = [nextLandStep(train)];
    let now = train;
    for (const outcome of outcomes) {
      now = afterLandStep(now, outcome);
      said.push(nextLandStep(now));
    }
    return { said, train: now };
  }
  const test4 = (commit: string, ...names: string[]): LandStep => ({ kind: "test", commit, names });
  const stack4 = (base: string, ...names: string[]): LandStep => ({ kind: "stack", base, names });

  test("a red tip is halved to its first red branch: those before it land, those behind it are stacked on them", () => {
    const { said, train } = steps(
      newTrain("0", ["a", "b", "c", "d"], few),
      ...[stacked("a", "b", "c", "d"), tested(false), tested(true), tested(false)],
      ...([{ kind: "landed" }, { kind: "returned" }, stacked("d"), tested(true), { kind: "landed" }] as const),
    );
    expect(said).toEqual([
      stack4("0", "a", "b", "c", "d"),
      test4("d1", "a", "b", "c", "d"),
      test4("b1", "a", "b"),
      test4("c1", "a", "b", "c"),
      { kind: "land", base: "0", commit: "b1", names: ["a", "b"] },
      { kind: "return", name: "c", why: "red" },
      stack4("b1", "d"),
      test4("d1", "d"),
      { kind: "land", base: "b1", commit: "d1", names: ["d"] },
      { kind: "end" },
    ]);
    expect(train.settled).toEqual([
      { name: "a", as: "landed", why: null, commit: "a1" },
      { name: "b", as: "landed", why: null, commit: "b1" },
      { name: "c", as: "returned", why: "red", commit: null },
      { name: "d", as: "landed", why: null, commit: "d1" },
    ]);
    expect(train.rate).toEqual({ red: 1, settled: 64 });
  });

  test("the target is asked where the first branch is red, and only where it is not known to be green", () => {
    const asked = steps(newTrain("0", ["a", "b"], few), stacked("a", "b"), tested(false), tested(false));
    expect(asked.said.at(-1)).toEqual(test4("0"));
    const green = steps(asked.train, tested(true), { kind: "returned" }, stacked("b"), tested(false));
    expect(green.said.slice(1)).toEqual([
      { kind: "return", name: "a", why: "red" },
      stack4("0", "b"),
      test4("b1", "b"),
      { kind: "return", name: "b", why: "red" },
    ]);
    // What was landed was green, so the target is.
    const landed = steps(
      newTrain("0", ["a", "b"], { red: 60, settled: 60 }),
      ...([stacked("a"), tested(true), { kind: "landed" }, stacked("b"), tested(false)] as const),
    );
    expect(landed.said.at(-1)).toEqual({ kind: "return", name: "b", why: "red" });
  });

  test("on a red target the first is left, and the others are tried one by one", () => {
    const { said, train } = steps(
      newTrain("0", ["a", "b", "c"], few),
      ...[stacked("a", "b", "c"), tested(false), tested(false), tested(false), stacked("b"), tested(false)],
    );
    expect(said.slice(1)).toEqual([
      test4("c1", "a", "b", "c"),
      test4("a1", "a"),
      test4("0"),
      stack4("0", "b"),
      test4("b1", "b"),
      stack4("0", "c"),
    ]);
    expect(train.settled.map(({ name, as, why }) => [name, as, why])).toEqual([
      ["a", "left", "red_target"],
      ["b", "left", "red_target"],
    ]);
    // Nobody learned anything of these branches.
    expect(train.rate).toEqual(few);
  });

  test("what a stack cannot hold: alone it goes back or is left, with others it comes first next time", () => {
    const { said, train } = steps(newTrain("0", ["a", "b", "c", "d", "e"], few), {
      kind: "stacked",
      stack: stackOf("d"),
      unfit: [
        { name: "a", why: "conflict", alone: true },
        { name: "b", why: "unreadable", alone: true },
        { name: "e", why: "conflict", alone: false },
      ],
      there: ["c"],
    });
    expect(said.at(-1)).toEqual(test4("d1", "d"));
    expect(train.waiting).toEqual(["e"]);
    expect(train.settled).toEqual([
      { name: "c", as: "landed", why: null, commit: "0" },
      { name: "a", as: "returned", why: "conflict", commit: null },
      { name: "b", as: "left", why: "unreadable", commit: null },
    ]);
    const none = steps(newTrain("0", ["a"], few), { kind: "stacked", stack: [], unfit: [], there: ["a"] });
    expect(none.said.at(-1)).toEqual({ kind: "end" });
  });

  test("a target that was moved is stacked on anew, in the same order, and asked anew", () => {
    const { said, train } = steps(
      newTrain("0", ["a", "b", "c"], few),
      ...[stacked("a", "b"), tested(true), { kind: "moved", base: "9" } as const, stacked("a"), tested(false)],
    );
    expect(said.slice(3)).toEqual([stack4("9", "a", "b", "c"), test4("a1", "a"), test4("9")]);
    expect(train.moved).toBe(1);
    expect(steps(train, tested(true), { kind: "returned" }).train.moved).toBe(0);
  });

  test("a target that cannot be moved leaves all of them, those in the stack first", () => {
    const { train } = steps(
      newTrain("0", ["a", "b", "c"], few),
      ...([stacked("a", "b"), tested(true), { kind: "refused" }] as const),
    );
    expect(train.settled).toEqual(["a", "b", "c"].map((name) => ({ name, as: "left", why: "refused", commit: null })));
    expect(nextLandStep(train)).toEqual({ kind: "end" });
  });
});
