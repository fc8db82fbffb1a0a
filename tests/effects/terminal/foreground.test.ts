import { expect, test } from "bun:test";
import { isForegroundStat } from "../../../src/effects/terminal/foreground.ts";

// pid (name) state parent group session terminal group-in-front …
test.each([
  ["a job in front", "812 (ralph) R 700 812 700 34816 812 4194304 0", true],
  ["a job in the background", "812 (ralph) R 700 812 700 34816 700 4194304 0", false],
  ["a member of the job in front", "813 (ralph) R 812 812 700 34816 812 4194304 0", true],
  ["a program without a terminal", "812 (ralph) R 700 812 700 0 -1 4194304 0", true],
  ["a name with parentheses and spaces", "812 (a) R 1 2 (b) R 700 812 700 34816 700 4194304 0", false],
] as const)("%s", (_, stat, isInFront) => {
  expect(isForegroundStat(stat)).toBe(isInFront);
});
