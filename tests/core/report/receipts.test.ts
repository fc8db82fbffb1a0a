import { expect, test } from "bun:test";
import type { EventBody } from "../../../src/core/journal/event.ts";
import { initialState } from "../../../src/core/journal/state.ts";
import { noUsage } from "../../../src/core/journal/usage.ts";
import { statusReport } from "../../../src/core/report/status-report.ts";
import {
  after,
  evidence,
  iterationFinished,
  iterationStarted,
  reportFrom,
  runFinished,
  runStarted,
  START,
} from "../state-files/script.ts";

test.each([
  ["my-app", "my-app"],
  ["my-project", "p"],
])("the report of a project named %s calls it %s", (PROJECT_NAME, told) => {
  const started = runStarted(initialState("/home/me/p"), { PROJECT_NAME });
  const project = started.type === "run_started" ? { ...started, project: "/home/me/p" } : started;
  expect(reportFrom(project).project_name).toBe(told);
});

test("a tool call without a change is counted, and changes no file", () => {
  const bash: EventBody = {
    type: "agent_tool_started",
    call: 1,
    tool_id: "t",
    tool: "Bash",
    input: { command: "ls", description: null },
  };
  const report = reportFrom(runStarted(), iterationStarted(1), bash, iterationFinished());
  expect(report).toMatchObject({ tools: 1, lines_added: 0, lines_removed: 0 });
});

test("the receipt of an iteration lists at most 40 changed files", () => {
  const files_changed = Array.from({ length: 70 }, (_, n) => `${n}.ts`);
  const change = { evidence: { ...evidence, files_changed, files_changed_count: 70 } };
  const [row] = reportFrom(runStarted(), iterationStarted(1), iterationFinished(change)).iterations;
  expect(row?.files.length).toBeLessThanOrEqual(40);
  expect(row?.files.length).toBeGreaterThan(10);
});

test.each([
  ["plan_complete", "completed", "finished"],
  ["max_iterations", "blocked", "stopped"],
] as const)("the status of a run ended by %s is %s, its phase %s", (reason, status, phase) => {
  const state = after(runStarted(), iterationStarted(1), iterationFinished(), runFinished(reason));
  expect(statusReport(state, null, false, START)).toMatchObject({ status, phase });
});

test("the receipt of an open iteration has the usage reported so far, or none", () => {
  const tool: EventBody = {
    type: "agent_tool_started",
    call: 1,
    tool_id: "t",
    tool: "Bash",
    input: { command: "ls", description: null },
  };
  const usage: EventBody = { type: "agent_usage", call: 1, ...noUsage(), input_tokens: 7 };
  const [silent] = reportFrom(runStarted(), iterationStarted(1), tool).iterations;
  const [told] = reportFrom(runStarted(), iterationStarted(1), tool, usage).iterations;
  expect(silent?.usage).toEqual(noUsage());
  expect(told?.usage.input_tokens).toBe(7);
});

test("the status of a project counts the calls of this hour alone", () => {
  const state = after(runStarted(), iterationStarted(1));
  const used = (now: number) => statusReport(state, null, false, now).calls.used;
  expect([used(START), used(START + 3_600_000)]).toEqual([1, 0]);
});

test("a plan of one box has a task to report", () => {
  const plan = { total: 1, checked: 1, unchecked: 0, blocking_unchecked: 0 };
  const done = { evidence: { ...evidence, plan, plan_delta: 1, plan_ticked: ["one"] } };
  expect(reportFrom(runStarted(), iterationStarted(1), iterationFinished(done)).tasks).toMatchObject([
    { tasks: ["one"], boxes: 1 },
  ]);
});

test("a task's cost is the sum of its iterations' without the dust of binary fractions", () => {
  const plan = { total: 1, checked: 0, unchecked: 1, blocking_unchecked: 1 };
  const paid = (cost_usd: number) =>
    iterationFinished({ usage: { ...noUsage(), cost_usd }, evidence: { ...evidence, plan, plan_delta: 0 } });
  const report = reportFrom(runStarted(), iterationStarted(1), paid(0.1), iterationStarted(2), paid(0.2));
  expect(report.tasks).toMatchObject([{ iterations: 2, cost_usd: 0.3 }]);
});

test("a wait belongs to the iteration in which it began, however many went before", () => {
  const wait: EventBody[] = [
    { type: "wait_started", until: "", why: "usage_limit", message: "" },
    { type: "wait_ended", why: "usage_limit" },
  ];
  const { iterations } = reportFrom(
    runStarted(),
    iterationStarted(1),
    iterationFinished(),
    iterationStarted(2),
    ...wait,
  );
  expect(iterations.map(({ waited_ms }) => waited_ms)).toEqual([0, 1000]);
});

test("an iteration that has not ended adds no time to its task yet", () => {
  const plan = { total: 1, checked: 0, unchecked: 1, blocking_unchecked: 1 };
  const started = iterationStarted(1);
  const open = started.type === "iteration_started" ? { ...started, plan } : started;
  expect(reportFrom(runStarted(), open).iterations[0]?.wall_ms).toBeNull();
});
