import { expect, test } from "bun:test";
import { describeTestShare, isTestHeavy } from "../../../src/core/decide/test-share.ts";
import { settingsOf } from "../given.ts";

test("the share of test-only iterations is told when it rises above the threshold", () => {
  const trend = (tests: string) => [...tests].map((one) => ({ test_only: one === "t" }));
  const told = (before: string, after: string) => describeTestShare(trend(before), trend(after), 30) !== null;
  expect(told("ttt", "ttt.t")).toBe(true);
  expect(told("ttt.t", "ttt.t.")).toBe(false);
  expect(told("......tttt", ".....ttttt")).toBe(false);
  expect(told("...ttt....", "..ttt....t")).toBe(true);
  expect(told("", "tt")).toBe(false);
});

test("a run is test-heavy above the threshold's share of the last ten iterations", () => {
  const rows = (...tests: number[]) => tests.map((one) => ({ test_only: one === 1 }));
  expect(isTestHeavy(rows(1, 1, 1), 30)).toBe(false);
  expect(isTestHeavy(rows(1, 1, 0, 1, 0, 1), 30)).toBe(true);
  expect(isTestHeavy(rows(1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0), 30)).toBe(false);
});

test("30 % of test-only iterations are not too many by default, and 40 % are", () => {
  const { TEST_PERCENTAGE_THRESHOLD } = settingsOf();
  const heavy = (tests: number) =>
    isTestHeavy(
      [..."x".repeat(10)].map((_, index) => ({ test_only: index < tests })),
      TEST_PERCENTAGE_THRESHOLD,
    );
  expect([heavy(3), heavy(4)]).toEqual([false, true]);
});
