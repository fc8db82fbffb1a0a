import { expect, test } from "bun:test";
import { writeTimeoutMinutes } from "../../../src/core/decide/write-timeout.ts";

test.each([
  [0, 15, 0],
  [5, 15, 5],
  [15, 15, 13],
  [60, 15, 13],
  [5, 2, 1],
])("a write timeout of %p minutes within a call timeout of %p becomes %p", (wanted, timeout, expected) => {
  expect(writeTimeoutMinutes({ WRITE_TIMEOUT_MINUTES: wanted, CLAUDE_TIMEOUT_MINUTES: timeout })).toBe(expected);
});
