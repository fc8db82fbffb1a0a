/** What each worker of a swarm may use of the bounds that all share. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { TaskClaim } from "../../../src/core/fleet/claim.ts";
import type { StopReason } from "../../../src/core/stop/stop-reasons.ts";
import { flagsOf, isSharedBound, type Share, shareIn, shareOf, takersOf } from "../../../src/core/swarm/share.ts";
import type { WorkTask } from "../../../src/core/tasks/task-graph.ts";
import { seed } from "../../seed.ts";
import { settingsOf, stateOf } from "../given.ts";

const settings = settingsOf({ MAX_ITERATIONS: 7, MAX_COST_USD: 10, MAX_CALLS_PER_HOUR: 100 });
const spent = (iterations: number, cost_usd = 0) =>
  stateOf({ iterations, usage: { ...stateOf().usage, cost_usd, input_tokens: 0 } });

/** The flags of so many workers that begin one after the other. */
function begun(workers: number, using = settings): string[][] {
  const given: Share[] = [];
  for (let takers = workers; takers > 0; takers -= 1) {
    const share = shareOf(spent(0), using, given, takers);
    if (share !== null) given.push(share);
  }
  return given.map((share) => flagsOf({ share, settings: using, workers, timeLeftMs: Number.POSITIVE_INFINITY }));
}

describe("the part of a worker", () => {
  test("is the same for each of those that begin together, but for what cannot be divided", () => {
    expect(begun(3)).toEqual([
      ["--calls=33", "--max-iterations=2", "--max-cost=3.33"],
      ["--calls=33", "--max-iterations=2", "--max-cost=3.33"],
      ["--calls=33", "--max-iterations=3", "--max-cost=3.34"],
    ]);
  });

  test("is all of it for the only one, and nothing but the calls without a bound", () => {
    expect(begun(1)).toEqual([["--calls=100", "--max-iterations=7", "--max-cost=10.00"]]);
    expect(begun(2, settingsOf({ MAX_CALLS_PER_HOUR: 1 }))).toEqual([["--calls=1"], ["--calls=1"]]);
  });

  test("is of the time all that is left, in seconds that are not too few", () => {
    const given = { share: {}, settings, workers: 3 };
    const ofTime = (timeLeftMs: number) => flagsOf({ ...given, timeLeftMs }).slice(1);
    expect(ofTime(2_400_000)).toEqual(["--max-time=2400s"]);
    expect(ofTime(1001)).toEqual(["--max-time=2s"]);
    expect(ofTime(0)).toEqual(["--max-time=1s"]);
    expect(isSharedBound("max_time")).toBe(true);
  });

  test("is none where the others may use the rest, and the rest, however small, where there are no others", () => {
    const two = settingsOf({ MAX_ITERATIONS: 2 });
    expect(begun(5, two)).toHaveLength(2);
    expect(shareOf(spent(1), two, [{ max_iterations: 1 }], 1)).toBeNull();
    expect(shareOf(spent(1), two, [], 3)).toEqual({ max_iterations: 1 });
    expect(shareOf(spent(0, 9.999), settings, [], 2)).toMatchObject({ max_cost: 0.01 });
  });

  test("keeps all of them together to the bound, whoever begins and ends when", () => {
    const happening = fc.record({
      begins: fc.boolean(),
      index: fc.nat(),
      part: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    const play = fc.property(
      fc.array(happening, { maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 5 }),
      (happenings, limit, workers) => {
        const bounds = settingsOf({ MAX_ITERATIONS: limit });
        let given: Share[] = [];
        let used = 0;
        for (const { begins, index, part } of happenings) {
          if (begins && given.length < workers && used < limit) {
            const share = shareOf(spent(used), bounds, given, workers - given.length);
            // Somebody always goes on.
            expect(share === null && given.length === 0).toBe(false);
            if (share !== null) given.push(share);
          } else if (given.length > 0) {
            const ended = given[index % given.length];
            given = given.filter((one) => one !== ended);
            used += Math.round((ended?.max_iterations ?? 0) * part);
          }
          const promised = given.reduce((sum, one) => sum + (one.max_iterations ?? 0), 0);
          expect(used + promised).toBeLessThanOrEqual(limit);
        }
      },
    );
    fc.assert(play, { seed });
  });
});

describe("who could begin now", () => {
  const task = (id: string, more: Partial<WorkTask> = {}): WorkTask => ({
    ...{ id, name: null, text: id, section: null, done: false, optional: false, after: [] },
    ...more,
  });
  const claimed = (id: string, until: number): [string, TaskClaim] => [
    id,
    { state: "claimed", task: id, text: "", worker: { name: "w" }, until, tries: 0 },
  ];
  const tasks = [task("a"), task("b"), task("c"), task("d", { done: true }), task("e", { held: "deferred" })];

  test("is as many as are free and have a task that nobody else has", () => {
    expect(takersOf(9, tasks, new Map(), 0)).toBe(3);
    expect(takersOf(2, tasks, new Map(), 0)).toBe(2);
    expect(takersOf(9, tasks, new Map([claimed("a", 5)]), 0)).toBe(2);
    // The claim of a worker that died is free from that time on.
    expect(takersOf(9, tasks, new Map([claimed("a", 5)]), 5)).toBe(3);
  });

  test("is one at least: that which goes on with what it had", () => {
    expect(takersOf(9, tasks, new Map([claimed("a", 5), claimed("b", 5), claimed("c", 5)]), 0)).toBe(1);
  });
});

test("a worker of an earlier swarm has the part that its run is bounded by, and none of what is not bounded", () => {
  const worker = { ...spent(1), settings: settingsOf({ MAX_ITERATIONS: 3, MAX_COST_USD: 0.5 }) };
  expect(shareIn(worker)).toEqual({ max_iterations: 3, max_cost: 0.5 });
  expect(shareIn({ ...worker, settings: settingsOf({}) })).toEqual({});
});

test("what ends by a part that all share is no fault of the task", () => {
  expect(["max_iterations", "max_cost", "max_tokens"].every((bound) => isSharedBound(bound as StopReason))).toBe(true);
  expect(isSharedBound("blocked")).toBe(false);
});
