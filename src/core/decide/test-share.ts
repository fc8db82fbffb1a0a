import { count } from "../text/count.ts";

const TREND_WINDOW = 10;

/** Whether more than `threshold` per cent of the last ten iterations were test-only (TEST_PERCENTAGE_THRESHOLD). */
export function isTestHeavy(trend: TestTrend, threshold: number): boolean {
  return testOnlyRows(trend) * 100 > threshold * TREND_WINDOW;
}

type TestTrend = readonly { test_only: boolean }[];

/** A sentence for the user once the share of test-only iterations rises above the threshold; null otherwise. */
export function describeTestShare(before: TestTrend, after: TestTrend, threshold: number): string | null {
  if (!isTestHeavy(after, threshold) || isTestHeavy(before, threshold)) return null;
  const among = count(Math.min(after.length, TREND_WINDOW), "iteration");
  return `${testOnlyRows(after)} of the last ${among} only ran tests: more than ${threshold} % of ten (TEST_PERCENTAGE_THRESHOLD). The next prompt says so.`;
}

function testOnlyRows(trend: TestTrend): number {
  return trend.slice(-TREND_WINDOW).filter((row) => row.test_only).length;
}
