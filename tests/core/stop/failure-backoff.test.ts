import { describe, expect, test } from "bun:test";
import { type FailureStreak, noFailures, updateFailures } from "../../../src/core/stop/failure-backoff.ts";
import type { ErrorClass } from "../../../src/driver.ts";
import { NOON } from "../given.ts";

function row(classes: readonly (ErrorClass | "ok" | "timeout")[]): FailureStreak {
  return classes.reduce((failures, one) => {
    const error = one === "ok" || one === "timeout" ? null : { class: one, message: `${one}!` };
    return updateFailures(failures, { ok: one === "ok", error, at: NOON, limited: one === "limit" });
  }, noFailures());
}

const pauseOf = ({ until }: FailureStreak) => (until === null ? null : (until - NOON) / 1000);

describe("consecutive failures", () => {
  test("pause twice as long each time, up to five minutes", () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 99].map((n) => pauseOf(row(Array(n).fill("request"))));
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]);
  });
  test("end with a successful call, and with a timeout", () => {
    expect(row(["infrastructure", "request", "ok"])).toEqual({ ...noFailures(), answered: true });
    expect(row(["infrastructure", "timeout"])).toEqual(noFailures());
  });
  test("count if the provider refuses the request, but not without a network", () => {
    expect(row(["infrastructure", "request", "infrastructure"])).toMatchObject({ count: 3, in_a_row: 3 });
    expect(row(["offline", "infrastructure", "offline", "offline"])).toMatchObject({ count: 1, in_a_row: 4 });
  });
  test("are unchanged by a limit and a lost session, without a pause", () => {
    for (const one of ["limit", "session"] as const)
      expect(row(["infrastructure", one])).toMatchObject({ count: 1, in_a_row: 1, until: null });
  });
  test("record the last one", () => {
    expect(row(["infrastructure", "offline"])).toMatchObject({ class: "offline", message: "offline!" });
  });
});

test("a call that met a limit leaves the failures before it as they were, by its error alone too", () => {
  const failures: FailureStreak = {
    ...noFailures(),
    count: 3,
    in_a_row: 3,
    class: "infrastructure",
    message: "500",
    until: NOON,
  };
  const kept = { ...failures, until: null };
  const met = (error: { class: ErrorClass; message: string } | null, limited: boolean) =>
    updateFailures(failures, { ok: false, error, at: NOON, limited });
  expect(met({ class: "limit", message: "5 h" }, false)).toEqual(kept);
  expect(met(null, true)).toEqual(kept);
});
