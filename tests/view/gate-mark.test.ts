import { expect, test } from "bun:test";
import type { EventBody } from "../../src/core/journal/event.ts";
import { initialState } from "../../src/core/journal/state.ts";
import { activityOf } from "../../src/view/dashboard/activity.ts";
import { eventsOf } from "./sample-run.ts";
import { linesOfRun } from "./shown.ts";

const passed = { type: "gate_finished", command: "npm test", exit_code: 0, ms: 900, timed_out: false, output: "" };

test.each([
  ["that passed", {}, "✓", "good"],
  ["that failed", { exit_code: 1 }, "✗", "bad"],
  ["that was stopped by its time limit, despite exit code 0", { timed_out: true }, "✗", "bad"],
] as const)("a gate %s has the same mark in every view", (_name, more, mark, tone) => {
  const state = initialState("/project");
  const [event] = eventsOf([{ ...passed, ...more } as EventBody]);
  if (event === undefined) throw new Error("no event");
  expect(linesOfRun([event])[0]).toStartWith(`  ${mark} gate: npm test`);
  expect(activityOf(event, state, state)?.tone).toBe(tone);
});

test.each([
  ["its last words", { exit_code: 1, output: "FAIL a\n3 failed\n\n" }, ["  ✗ gate: npm test", "    3 failed"]],
  [
    "the end that was cut off",
    { exit_code: 1, output: "begin", tail: "the end\n" },
    ["  ✗ gate: npm test", "    the end"],
  ],
  [
    "that it ran out of time",
    { timed_out: true, ms: 120_000 },
    ["  ✗ gate: npm test 2 min", "    It ran out of time."],
  ],
  ["nothing without output", { exit_code: 1 }, ["  ✗ gate: npm test"]],
  ["nothing for a green one", { output: "12 pass\n" }, ["  ✓ gate: npm test"]],
] as const)("the line below a gate shows %s", (_name, more, lines) => {
  expect(linesOfRun(eventsOf([{ ...passed, ...more } as EventBody]))).toEqual([...lines]);
});
