/** The words of a worker that failed. */
import { expect, test } from "bun:test";
import { lastError } from "../../../src/core/swarm/last-error.ts";

test("the error at the end is told in one line, with what to do next", () => {
  const before = "ralph: an earlier one\n[2026-01-01 00:00:00] ralph 0.1.0\n";
  const output = `${before}ralph: \`git switch\` failed: fatal: no\nand no\n  Mend it in the repository.\n`;
  expect(lastError(output)).toBe("`git switch` failed: fatal: no and no Mend it in the repository.");
});

test("what ended without an error has none, and a long one is cut", () => {
  expect(lastError("[2026-01-01 00:00:00] ralph: not at the beginning of a line\n")).toBeNull();
  expect(lastError(`ralph: ${"long ".repeat(1000)}`)?.length).toBeLessThan(700);
});
