import { expect, test } from "bun:test";
import { DEFAULT_DEMO_SCRIPT } from "../../src/core/demo-script.ts";

test("every answer of the default demo names as many files as it writes, and a finished task", () => {
  for (const { status, write, tick } of DEFAULT_DEMO_SCRIPT.iterations) {
    expect(status?.FILES_MODIFIED).toBe(Object.keys(write ?? {}).length);
    expect(status?.TASKS_COMPLETED_THIS_LOOP).toBe(Math.min(1, tick ?? 0));
  }
});

test("the default demo says done with its last answer alone", () => {
  const signals = DEFAULT_DEMO_SCRIPT.iterations.map(({ status }) => status?.EXIT_SIGNAL);
  expect(signals).toEqual([...signals.slice(0, -1).map(() => false), true]);
});
