import { expect, test } from "bun:test";
import type { EventBody } from "../../../src/core/journal/event.ts";
import { buildReport } from "../../../src/core/report/build-report.ts";
import { toolChange } from "../../../src/core/report/line-changes.ts";
import { notificationFor } from "../../../src/core/report/notification.ts";
import { statusReport } from "../../../src/core/report/status-report.ts";
import {
  after,
  evidence,
  iterationFinished,
  iterationStarted,
  play,
  reportFrom,
  runFinished,
  runStarted,
  START,
} from "../state-files/script.ts";

test("a report of no events counts nothing", () => {
  expect(buildReport([])).toMatchObject({
    calls: 0,
    tools: 0,
    agent_ms: 0,
    waited_ms: 0,
    commits: 0,
    files_changed: 0,
    lines_added: 0,
    lines_removed: 0,
    iterations: [],
  });
});

test("the report counts a gate that was red and then green on the same tree as a flake", () => {
  const gate = { type: "gate_finished", command: "t", exit_code: 0, ms: 30, timed_out: false, output: "" } as const;
  const first_run = { exit_code: 1, timed_out: false, file: "1-gate-1.out" };
  const { gates } = reportFrom(runStarted(), iterationStarted(1), { ...gate, first_run });
  expect(gates).toEqual([{ command: "t", passed: 1, failed: 0, flakes: 1, ms: 30 }]);
});

test("a gate that was green by weaker checks alone counts as red, as in its iteration", () => {
  const gate = { type: "gate_finished", command: "t", exit_code: 0, ms: 30, timed_out: false, output: "" } as const;
  const { gates, iterations } = reportFrom(runStarted(), iterationStarted(1), gate, iterationStarted(2), gate, {
    ...{ type: "gate_weakened", commands: ["t", "u"], evidence: "words", reasons: [], diff: "" },
  });
  expect(gates).toEqual([{ command: "t", passed: 1, failed: 1, flakes: 0, ms: 60 }]);
  expect(iterations.map((row) => row.gates.map(({ ok }) => ok))).toEqual([[true], [false]]);
});

test("the report's time of a gate is the sum of its runs", () => {
  const gate = { type: "gate_finished", command: "t", exit_code: 0, ms: 30, timed_out: false, output: "" } as const;
  const { gates } = reportFrom(runStarted(), iterationStarted(1), gate, { ...gate, exit_code: 1, ms: 12 });
  expect(gates).toEqual([{ command: "t", passed: 1, failed: 1, flakes: 0, ms: 42 }]);
});

test("the report lists at most 40 files", () => {
  const files_changed = Array.from({ length: 50 }, (_, n) => `${n}.ts`);
  const change = { evidence: { ...evidence, files_changed, files_changed_count: 50 } };
  const report = reportFrom(runStarted(), iterationStarted(1), iterationFinished(change));
  expect([report.files.length, report.files_changed]).toEqual([40, 50]);
});

test.each<[string, string, string[], string[]]>([
  ["a\nx\ny\nz", "b\nx\ny\nz", ["a"], ["b"]],
  ["x\ny\na", "x\ny\nb", ["a"], ["b"]],
  ["x\na\ny\nz", "x\ny\nz", ["a"], []],
  ["x\nx", "x\nx\nx", [], ["x"]],
  ["same", "same", [], []],
])("the changed lines from %j to %j exclude equal lines at both ends", (old_string, new_string, before, afterwards) => {
  const change = toolChange({ tool: "Edit", input: { file_path: "a", old_string, new_string } });
  expect(change).toMatchObject({ removed: before, added: afterwards });
});

test("a limit without a message is reported in ralph's words", () => {
  const wait = (message: string): EventBody => ({ type: "wait_started", until: "", why: "usage_limit", message });
  const told = (message: string) => {
    const step = play(runStarted(), wait(message)).at(-1);
    return step === undefined ? null : notificationFor(step)?.text;
  };
  expect(told("")).toBe("The provider's usage limit is reached; ralph waits.");
  expect(told("5 h")).toBe("5 h");
});

test("the last action of a finished run is its end", () => {
  const bodies = [runStarted(), iterationStarted(1), iterationFinished()];
  const lastAction = (...more: EventBody[]) => statusReport(after(...bodies, ...more), null, false, START).last_action;
  expect(lastAction()).toBe("completed");
  expect(lastAction(runFinished("max_iterations"))).toBe("bound_reached");
});
