import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { MAX_REMEMBERED_TREES, recordTree, treeHistoryAtStart } from "../../../src/core/decide/tree-history.ts";
import { seed } from "../../seed.ts";

/** The first letter is the tree at the start; `+` after a letter means a box ticked on the way to it. */
function cyclesAt(walk: string): number[] {
  const [start = "", ...steps] = walk.split(" ");
  let trees = treeHistoryAtStart([], start);
  return steps.flatMap((step, index) => {
    const turn = recordTree(trees, { fingerprint: step[0] ?? null, plan_delta: step.endsWith("+") ? 1 : 0 });
    trees = turn.history;
    return turn.cycling ? [index + 1] : [];
  });
}

describe("the tree history", () => {
  test.each([
    ["that only moves on never cycles", "a b c d e", []],
    ["that comes back once is an experiment undone", "a b a c d", []],
    ["that goes to and fro cycles at the second return", "a b a b", [3]],
    ["that goes round in a longer circle cycles too", "a b c a b", [4]],
    ["that comes back to the same state twice cycles, whatever lies between", "a b a c a", [4]],
    ["that comes back to two different states, with news between, does not", "a b a c d c", []],
    ["that stays as it is does not return", "a a a a", []],
    ["begins anew with a ticked box", "a b a+ b a", []],
    ["cycles again after that", "a b a+ b a b", [5]],
  ])("of a walk %s: %p", (_name, walk, expected) => expect(cyclesAt(walk)).toEqual(expected));

  test("is unchanged by an unknown tree", () => {
    const trees = ["a", "b"];
    expect(recordTree(trees, { fingerprint: null, plan_delta: 0 })).toEqual({
      history: trees,
      revisited: false,
      cycling: false,
    });
    expect(treeHistoryAtStart(trees, null)).toEqual(trees);
  });

  test("restarts after someone else restored a tree", () => {
    expect(treeHistoryAtStart(["a", "b"], "a")).toEqual(["a"]);
    expect(treeHistoryAtStart(["a", "b"], "b")).toEqual(["a", "b"]);
    expect(treeHistoryAtStart(["a", "b"], "c")).toEqual(["a", "b", "c"]);
  });
});

test("the tree history is bounded, and a new tree is never a return", () => {
  const steps = fc.array(fc.tuple(fc.option(fc.nat({ max: 90 }).map(String)), fc.boolean()), { maxLength: 200 });
  fc.assert(
    fc.property(steps, (walk) => {
      let trees: string[] = [];
      const seen = new Set<string>();
      for (const [fingerprint, ticked] of walk) {
        const turn = recordTree(trees, { fingerprint, plan_delta: ticked ? 1 : 0 });
        trees = turn.history;
        expect(trees.length).toBeLessThanOrEqual(MAX_REMEMBERED_TREES);
        if (turn.revisited) expect(seen.has(fingerprint ?? "")).toBe(true);
        if (turn.cycling) expect(turn.revisited).toBe(true);
        if (fingerprint !== null) seen.add(fingerprint);
      }
    }),
    { seed },
  );
});
