import { describe, expect, test } from "bun:test";
import type { Evidence } from "../../../src/core/journal/event.ts";
import {
  type FailureStreak,
  failuresAfter,
  noFailures,
  updateFailures,
} from "../../../src/core/stop/failure-backoff.ts";
import { describeQuickFailures, mostFailures } from "../../../src/core/stop/same-failure.ts";
import type { ErrorClass } from "../../../src/driver.ts";
import { evidenceOf, NOON } from "../given.ts";

type Failed = { seconds: number; message?: string; class?: ErrorClass };

/** The streak after failures at these seconds after noon. */
function failed(...ends: readonly Failed[]): FailureStreak {
  return ends.reduce(
    (failures, { seconds, message = "Segmentation fault", class: errorClass = "infrastructure" }) =>
      updateFailures(failures, {
        ok: false,
        error: { class: errorClass, message },
        at: NOON + seconds * 1000,
        limited: false,
      }),
    noFailures(),
  );
}

const at = (...seconds: readonly number[]) => failed(...seconds.map((one) => ({ seconds: one })));
const pause = ({ until }: FailureStreak, seconds: number) => ((until ?? 0) - NOON) / 1000 - seconds;

describe("three failures within a minute that are the same", () => {
  test("make the pauses grow: 2, 4, then 5 minutes", () => {
    const times = [0, 5, 15, 135, 375, 675];
    expect(times.map((seconds, n) => pause(at(...times.slice(0, n + 1)), seconds))).toEqual([
      5, 10, 120, 240, 300, 300,
    ]);
  });

  test("end a run after the sixth, if nobody knows their words", () => {
    expect(mostFailures(at(0, 5, 15))).toBe(6);
    expect(mostFailures(at(0, 5))).toBe(10);
  });

  test("get all ten if the words tell of a network or a provider that is down", () => {
    const busy = [0, 5, 15].map((seconds) => ({ seconds, message: "API Error: 529 overloaded" }));
    expect(failed(...busy).same.quick).toBe(true);
    expect(mostFailures(failed(...busy))).toBe(10);
  });

  test("are told once, with the message and what it may be", () => {
    const two = at(0, 5);
    const three = at(0, 5, 15);
    const told =
      "3 calls in a row failed within a minute in the same way: Segmentation fault. A fourth would hardly differ: look at the agent's installation, its settings, and the proxy between it and its provider. The pauses grow now, and failure 6 ends the run.";
    expect(describeQuickFailures(two, three, false)).toBe(told);
    expect(describeQuickFailures(three, at(0, 5, 15, 135), false)).toBeNull();
    expect(describeQuickFailures(noFailures(), two, false)).toBeNull();
  });
});

test.each<[string, FailureStreak]>([
  ["three in more than a minute", at(0, 30, 61)],
  [
    "three with other words",
    failed({ seconds: 0, message: "a" }, { seconds: 5, message: "b" }, { seconds: 15, message: "c" }),
  ],
  ["three without a network", failed(...[0, 5, 15].map((seconds) => ({ seconds, class: "offline" as const })))],
  ["two and one of another class", failed({ seconds: 0 }, { seconds: 5 }, { seconds: 15, class: "request" })],
])("%s are no quick failures", (_, failures) => {
  expect(failures.same.quick).toBe(false);
  expect(mostFailures(failures)).toBe(10);
});

test("numbers, times and ids make no difference between failures", () => {
  const message = (n: number) => `Error: worker ${n} exited at 12:00:0${n} (req_011CaXci6gfTVhUMdZHg${n})`;
  expect(failed(...[0, 5, 15].map((seconds, n) => ({ seconds, message: message(n) }))).same.count).toBe(3);
});

test("a failed call that changed files makes the next failure the first", () => {
  const wrote = failuresAfter(at(0, 5), evidenceOf({ progress: true }));
  expect(wrote).toMatchObject({ count: 2, in_a_row: 2, same: { count: 0 } });
  const next = updateFailures(wrote, {
    ok: false,
    error: { class: "infrastructure", message: "Segmentation fault" },
    at: NOON + 15_000,
    limited: false,
  });
  expect(next.same).toMatchObject({ count: 1, quick: false });
});

test("a failed call that changed nothing is one more", () => {
  expect(failuresAfter(at(0, 5), evidenceOf({ progress: false }))).toEqual(at(0, 5));
});

test.each<[string, Partial<Evidence>]>([
  ["ticked a box", { plan_delta: 1 }],
  ["made a commit", { commits: ["c"] }],
  ["made a commit in a repository inside", { committed_inside: true }],
])("a failed call that %s makes the next failure the first in a row, and its own pause stays", (_, evidence) => {
  const streak = at(0, 5);
  const after = failuresAfter(streak, evidenceOf({ progress: true, ...evidence }));
  expect(after).toMatchObject({ count: 0, in_a_row: 0, same: { count: 0 }, until: streak.until });
});
