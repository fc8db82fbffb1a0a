import { expect, test } from "bun:test";
import { isTakeable, type TaskClaim } from "../../../src/core/fleet/claim.ts";
import { createClaimWatch } from "../../../src/core/fleet/claim-watch.ts";
import { HOUR, MINUTE, NOON } from "../given.ts";

const LEASE = 5 * MINUTE;

/** A worker that looks each minute, whose clock is ahead of the other's by so much: when it may take the task, in minutes. */
function freeAfter(ahead: number, renewed: (minute: number) => number): number[] {
  let minute = 0;
  const watch = createClaimWatch(LEASE, () => minute * MINUTE);
  const free: number[] = [];
  for (; minute < 30; minute += 1) {
    const at = renewed(minute);
    const worker = { name: "other" };
    const until = NOON + at * MINUTE + LEASE;
    const claim: TaskClaim = { state: "claimed", task: "t", text: "t", worker, until, tries: 0 };
    const now = NOON + ahead + minute * MINUTE;
    const seen = watch(new Map([["t", { id: `claim of ${at}`, claim }]]), now).get("t")?.claim ?? null;
    if (isTakeable(seen, now)) free.push(minute);
  }
  return free;
}

const alive = (minute: number) => Math.floor(minute / 2) * 2;

test.each([0, 6 * MINUTE, 3 * HOUR])(
  "a claim that is renewed is nobody else's, by a clock that is %d ms ahead",
  (ahead) => {
    expect(freeAfter(ahead, alive)).toEqual([]);
  },
);

test.each([0, 6 * MINUTE, 3 * HOUR])(
  "one without a sign for a lease is free, by a clock that is %d ms ahead",
  (ahead) => {
    const dies = (minute: number) => alive(Math.min(minute, 10));
    expect(freeAfter(ahead, dies)[0]).toBe(15);
  },
);

test("a claim that somebody else made takes the place of the one before", () => {
  expect(freeAfter(HOUR, (minute) => (minute < 4 ? 0 : 4))[0]).toBe(9);
});
