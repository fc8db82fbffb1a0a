import { expect, test } from "bun:test";
import { replayDelay } from "../../../src/core/report/replay-delay.ts";

test.each([
  ["as it was", 700, 1, 700],
  ["ten times as fast", 700, 10, 70],
  ["half as fast", 700, 0.5, 1400],
  ["a wait of hours is cut short", 7_200_000, 1, 2000],
  ["a clock that went back", -500, 1, 0],
  ["a time that is none", Number.NaN, 1, 0],
])("%s", (_, ms, speed, rest) => expect(replayDelay(ms, speed)).toBe(rest));
