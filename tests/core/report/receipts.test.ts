import { expect, test } from "bun:test";
import type { EventBody } from "../../../src/core/journal/event.ts";
import { initialState } from "../../../src/core/journal/state.ts";
import { buildReport } from "../../../src/core/report/build-report.ts";
import { statusReport } from "../../../src/core/report/status-report.ts";
import {
  after,
  evidence,
  iterationFinished,
  iterationStarted,
  play,
  runFinished,
  runStarted,
  START,
} from "../state-files/script.ts";

const reportFrom = (...bodies: EventBody[]) => buildReport(play(...bodies).map(({ event }) => event));

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
