import { expect, test } from "bun:test";
import type { EventBody } from "../../src/core/journal/event.ts";
import { initialState } from "../../src/core/journal/state.ts";
import { logEntry } from "../../src/core/state-files/run-log.ts";
import { activityOf } from "../../src/view/dashboard/activity.ts";
import { runFinished, runStarted } from "../core/state-files/script.ts";
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
  expect(activityOf({ event, state, previous: state })?.tone).toBe(tone);
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
  ["that it ran no test", { no_tests: true }, ["  ! gate: npm test", "    It ran no tests, so it proves nothing."]],
  ["nothing for a green one", { output: "12 pass\n" }, ["  ✓ gate: npm test"]],
] as const)("the line below a gate shows %s", (_name, more, lines) => {
  expect(linesOfRun(eventsOf([{ ...passed, ...more } as EventBody]))).toEqual([...lines]);
});

test("a gate that ran no test is no success in any view", () => {
  const state = initialState("/project");
  const [event] = eventsOf([{ ...passed, no_tests: true } as EventBody]);
  if (event === undefined) throw new Error("no event");
  expect(activityOf({ event, state, previous: state })?.tone).toBe("warn");
  expect(logEntry(event)).toMatchObject({ level: "WARN", text: expect.stringContaining("It ran no tests") });
});

test("the end of a run whose gates ran no test names one", () => {
  const gates = [passed, { ...passed, no_tests: true }].map((gate) => gate as EventBody);
  const end = (gate: EventBody) =>
    linesOfRun(eventsOf([runStarted(), gate, { ...runFinished("project_complete"), proof: "word" } as EventBody]), {
      width: 300,
    }).join("\n");
  expect(gates.map((gate) => end(gate).includes("Done, unproven: `npm test` ran no tests"))).toEqual([false, true]);
});

test("the end of a run names a gate that is red and only warns, and not one that ran no test beside it", () => {
  const empty = { ...passed, no_tests: true } as EventBody;
  const red = { ...passed, command: "npm run lint", exit_code: 1 } as EventBody;
  const end = { ...runFinished("project_complete"), proof: "word" } as EventBody;
  const text = linesOfRun(eventsOf([runStarted(), empty, red, end]), { width: 300 }).join("\n");
  expect(text).not.toContain("Done, unproven: `npm test`");
  expect(text).toContain(
    "Done, unproven: `npm run lint` was red at the end, and gates only warn here, so this rests on the agent's word. To have it need them green: ralph config set DONE_POLICY=evidence",
  );
});

const weakened: EventBody = {
  type: "gate_weakened",
  commands: ["npm test"],
  evidence: "frozen_gate_is_red",
  reasons: [{ path: "tests/a.js", line: 4, what: "a test is skipped" }],
  diff: "tests/a.js\n  + test.skip(",
};

test("weaker gates are told with their reasons and what changed, in every view", () => {
  const state = initialState("/project");
  const [event] = eventsOf([weakened]);
  if (event === undefined) throw new Error("no event");
  const lines = linesOfRun([event], { width: 200 });
  expect(lines[0]).toBe(
    '  ! `npm test` is green, but the gates got weaker: with the gates as they were at the start it is red. That does not count for "done".',
  );
  expect(lines.slice(1)).toEqual(["    tests/a.js:4: a test is skipped", "    tests/a.js", "      + test.skip("]);
  expect(activityOf({ event, state, previous: state })?.tone).toBe("warn");
  expect(logEntry(event)).toMatchObject({ level: "WARN", text: expect.stringContaining("tests/a.js:4: a test is") });
});

test("a gate that was red and then green is told as flaky, within the width", () => {
  const command = `npm test ${"x".repeat(100)}`;
  const first_run = { exit_code: 1, timed_out: false, file: "1-gate-1.out" };
  const [line = ""] = linesOfRun(eventsOf([{ ...passed, command, first_run } as EventBody]), { width: 80 });
  expect(line).toStartWith("  ✓ gate: npm test x");
  expect(line).toEndWith("red, then green on the same tree: flaky");
  expect(line.length).toBeLessThanOrEqual(80);
});

test.each([
  [{ why: "no_gate", check: "npm test" }, 'it rests on the agent\'s word. To have one: ralph gates adopt "npm test"'],
  [{ why: "no_gate", check: null }, "To have one: ralph gates adopt COMMAND"],
  [{ why: "no_gate", check: 'sh -c "$T"' }, `To have one: ralph gates adopt 'sh -c "$T"'`],
  [{ why: "gates_only_warn", check: "make" }, "To have it need them green: ralph config set DONE_POLICY=evidence"],
] as const)("a run in which no gate decides says so in every view: %j", (about, words) => {
  const state = initialState("/project");
  const [event] = eventsOf([{ type: "done_unchecked", ...about }]);
  if (event === undefined) throw new Error("no event");
  expect(linesOfRun([event], { width: 300 }).join("\n")).toContain(words);
  expect(activityOf({ event, state, previous: state })?.text).toContain(words);
  expect(logEntry(event)?.text).toContain(words);
});

test.each([
  ["word", "make test", 'To have one: ralph gates adopt "make test"'],
  ["word", null, "To have one: ralph gates adopt COMMAND"],
  ["gates", null, null],
  [null, null, null],
] as const)(
  "the end of a run whose proof is %p, with %p at hand, says how to have a gate: %p",
  (proof, check, says) => {
    const begun = eventsOf([
      runStarted(),
      { type: "done_unchecked", why: "no_gate", check },
      { ...runFinished("project_complete"), proof } as EventBody,
    ]);
    const end = linesOfRun(begun, { width: 300 }).slice(-6).join("\n");
    expect(end.includes("Done, unproven")).toBe(says !== null);
    if (says !== null) expect(end).toContain(`${says}\n`);
  },
);
