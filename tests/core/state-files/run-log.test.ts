import { describe, expect, test } from "bun:test";
import type { EventBody } from "../../../src/core/journal/event.ts";
import { isCheckpoint } from "../../../src/core/state-files/checkpoint.ts";
import { formatLiveEvent } from "../../../src/core/state-files/live-log.ts";
import { metricsLine } from "../../../src/core/state-files/metrics-file.ts";
import { outputName } from "../../../src/core/state-files/output-name.ts";
import { logEntry, logLine } from "../../../src/core/state-files/run-log.ts";
import { closedBreaker } from "../../../src/core/stop/circuit-breaker.ts";
import {
  agentFinished,
  agentStarted,
  analysis,
  evidence,
  iterationFinished,
  iterationStarted,
  play,
  runFinished,
  runStarted,
  START,
} from "./script.ts";

const stepOf = (...bodies: EventBody[]) => {
  const step = play(...bodies).at(-1);
  if (step === undefined) throw new Error("no event");
  return step;
};

describe("metrics.jsonl", () => {
  const line = (change: Parameters<typeof iterationFinished>[0] = {}) => {
    const { state, event } = stepOf(
      runStarted(),
      iterationStarted(1),
      { type: "agent_session", call: 1, session_id: "s" },
      iterationFinished(change),
    );
    if (event.type !== "iteration_finished") throw new Error("wrong event");
    const text = metricsLine(state, event, "pass", 2);
    expect(text.indexOf("\n")).toBe(text.length - 1);
    return JSON.parse(text);
  };

  test("has bmalph's 22 fields, then the bash loop's", () => {
    expect(line()).toEqual({
      run_id: "r1",
      loop: 1,
      timestamp: new Date(START + 3000).toISOString().replace(".000Z", "+00:00"),
      driver: "claude-code",
      session_id: "s",
      loop_outcome: "success",
      duration_ms: 1499,
      duration_api_ms: 900,
      input_tokens: 100,
      output_tokens: 50,
      cache_read_tokens: null,
      cache_creation_tokens: null,
      total_cost_usd: 0.25,
      num_turns: 3,
      files_changed: 2,
      reported_files_modified: 2,
      has_errors: false,
      exit_signal: false,
      was_read_only_timeout: false,
      quality_gate_result: "pass",
      has_permission_denials: false,
      circuit_breaker_state: "CLOSED",
      duration: 1,
      success: true,
      calls: 2,
    });
  });

  const open = {
    ...closedBreaker(),
    state: "open" as const,
    since: START,
    reason: "stagnation_detected" as const,
    sentence: "",
  };
  const idle = { ...evidence, progress: false };
  const limit = { kind: "usage_limit" as const, resets_at: null, message: "" };
  test.each<[string, Parameters<typeof iterationFinished>[0]]>([
    ["success", { outcome: "timed_out" }],
    ["read_only_timeout", { outcome: "timed_out", evidence: idle }],
    ["error", { outcome: "failed" }],
    ["api_limit", { outcome: "failed", analysis: { ...analysis, usage_limit: limit } }],
    ["circuit_breaker_trip", { breaker: open }],
  ])("reports %s", (loop_outcome, change) => {
    expect(line(change)).toMatchObject({
      loop_outcome,
      success: loop_outcome === "success",
      was_read_only_timeout: loop_outcome === "read_only_timeout",
    });
  });
});

describe("ralph.log", () => {
  test("has exactly one line per entry, in the form that both dashboards parse", () => {
    const line = logLine(START, { level: "WARN", text: "a\nb\u001b[31m\u0007 [x]\r\n" });
    expect(line).toBe("[2026-01-31 09:05:00] [WARN] a b [x]\n");
    expect(line).toMatch(/^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\] \[[A-Z]+\] .*\n$/u);
  });

  test.each<[EventBody, string | null]>([
    [runStarted(), "INFO Run r1 started: ralph 1.0.0, Claude Code."],
    [
      { type: "run_recovered", of_run: "r0", interrupted_iteration: 3, ended_processes: [7, 8] },
      "WARN Run r0 broke off in iteration 3; processes that it left were ended: 7, 8.",
    ],
    [iterationStarted(2), "LOOP Iteration 2."],
    [{ ...iterationStarted(2, 3), resume: "s" } as EventBody, "LOOP Iteration 2 goes on, call 3, session s."],
    [agentFinished(), null],
    [agentFinished({ ok: false, outcome: "timed_out" }), "ERROR The agent's call timed out: exit code 0"],
    [
      agentFinished({ ok: false, error: { class: "auth", message: "log in" } }),
      "ERROR The agent's call failed: log in",
    ],
    [
      agentFinished({ ok: false, exit_code: null, signal: "SIGSEGV" }),
      "ERROR The agent's call failed: ended by SIGSEGV",
    ],
    [
      agentFinished({ ok: false, outcome: "stopped", exit_code: null, signal: "SIGTERM" }),
      "INFO The agent was stopped.",
    ],
    [
      { type: "gate_finished", command: "npm test", exit_code: 0, ms: 1, timed_out: false, output: "" },
      "INFO Gate passed: npm test",
    ],
    [
      { type: "gate_finished", command: "npm test", exit_code: 2, ms: 1, timed_out: false, output: "" },
      "WARN Gate failed with 2: npm test",
    ],
    [
      { type: "gate_finished", command: "npm test", exit_code: null, ms: 1, timed_out: true, output: "" },
      "WARN Gate timed out: npm test",
    ],
    [
      { type: "gate_finished", command: "npm test", exit_code: 0, ms: 1, timed_out: true, output: "" },
      "WARN Gate timed out: npm test",
    ],
    [
      { type: "gate_finished", command: "npm test", exit_code: null, ms: 1, timed_out: false, output: "" },
      "WARN Gate could not run: npm test",
    ],
    [
      { type: "question_asked", kind: "question", task: null, text: "Which one?", parked: true },
      "WARN Needs you: Which one? (the task is set aside)",
    ],
    [
      { type: "question_asked", kind: "denied", task: null, text: "Bash(rm x)", parked: false },
      "WARN Needs you: the agent was denied Bash(rm x)",
    ],
    [iterationFinished(), "SUCCESS Iteration 0 ended: Two files changed."],
    [iterationFinished({ outcome: "failed" }), "WARN Iteration 0 ended: Two files changed."],
    [{ type: "iteration_interrupted", number: 4, why: "SIGTERM" }, "WARN Iteration 4 was interrupted: SIGTERM"],
    [{ type: "stop_requested", how: "now", by: "SIGTERM" }, "INFO Stop requested by SIGTERM: at once."],
    [
      { type: "wait_started", until: new Date(START).toISOString(), why: "usage_limit", message: "limit" },
      "WARN Waiting until 2026-01-31 09:05:00: limit",
    ],
    [
      { type: "reset", what: "both", reason: "manual_circuit_reset" },
      "INFO Reset of circuit breaker and session: manual_circuit_reset.",
    ],
    [{ type: "note", level: "error", text: "n" }, "ERROR n"],
    [runFinished("project_complete"), "SUCCESS Run ended (project_complete): Over."],
    [runFinished("stopped_by_user"), "INFO Run ended (stopped_by_user): Over."],
    [runFinished("max_iterations"), "INFO Run ended (max_iterations): Over."],
    [runFinished("stagnation_detected"), "ERROR Run ended (stagnation_detected): Over."],
    [{ type: "iteration_interrupted", number: 4, why: "stopped" }, "INFO Iteration 4 was stopped before its end."],
    [{ type: "agent_text", call: 1, text: "hi" }, null],
  ])("has the line of event %# %j", (body, expected) => {
    const entry = logEntry(stepOf(body).event);
    expect(entry === null ? null : `${entry.level} ${entry.text}`).toBe(expected);
  });
});

describe("live.log", () => {
  test.each<[EventBody, string]>([
    [iterationStarted(2), "=== Iteration 2, call 1 (2026-01-31 09:05:00) ===\n"],
    [{ type: "agent_text", call: 1, text: "a\n\u001b[2Jb\r\n\n" }, "a\nb\n"],
    [
      {
        type: "agent_tool_started",
        call: 1,
        tool_id: "t",
        tool: "Bash",
        input: { command: "ls -l\nrm x", description: null },
      },
      "⚡ [Bash] ls -l\n",
    ],
    [
      { type: "agent_tool_started", call: 1, tool_id: "t", tool: "Read", input: { file_path: "src/a.ts" } },
      "⚡ [Read] src/a.ts\n",
    ],
    [
      {
        type: "agent_tool_started",
        call: 1,
        tool_id: "t",
        tool: "Grep",
        input: { pattern: "x.y", path: null, include: null },
      },
      "⚡ [Grep] x.y\n",
    ],
    [
      {
        type: "agent_tool_started",
        call: 1,
        tool_id: "t",
        tool: "Other",
        name: "Task",
        input: { description: "look" },
      },
      "⚡ [Task] look\n",
    ],
    [{ type: "agent_tool_started", call: 1, tool_id: "t", tool: "Other", name: "Task", input: {} }, "⚡ [Task]\n"],
    [
      { type: "agent_tool_finished", call: 1, tool_use_id: "t", content: "no such file\nx", is_error: true },
      "✗ no such file\n",
    ],
    [{ type: "agent_tool_finished", call: 1, tool_use_id: "t", content: "fine", is_error: false }, ""],
    [{ type: "agent_retry", call: 1, attempt: 2, delay_ms: 1, reason: "overloaded" }, "Retry 2: overloaded\n"],
    [agentFinished(), ""],
  ])("has the lines of event %# %j", (body, expected) => expect(formatLiveEvent(stepOf(body).event)).toBe(expected));
});

test.each([
  ["claude-code", 1, "claude_output_2026-01-31_09-05-00.log"],
  ["codex", 2, "codex_output_2026-01-31_09-05-00_2.log"],
  ["../x y", 1, "-x-y_output_2026-01-31_09-05-00.log"],
])("the output file of %s, number %i within its second, is called %s", (driver, nth, name) =>
  expect(outputName(driver, START, nth)).toBe(name),
);

test("projections are written when a run starts or ends and when an agent starts, not at output", () => {
  const events = [
    runStarted(),
    iterationStarted(1),
    agentStarted(),
    iterationFinished(),
    runFinished("stopped_by_user"),
    { type: "agent_text", call: 1, text: "" },
    agentFinished(),
  ];
  expect(play(...(events as EventBody[])).map(({ event }) => isCheckpoint(event))).toEqual([
    true,
    false,
    true,
    false,
    true,
    false,
    false,
  ]);
});

test.each<[string[], boolean]>([
  [[], false],
  [["Error: a"], true],
])("a metrics line of an iteration with the error lines %j has errors: %p", (errors, has_errors) => {
  const { state, event } = stepOf(
    runStarted(),
    iterationStarted(1),
    iterationFinished({ analysis: { ...analysis, errors } }),
  );
  if (event.type !== "iteration_finished") throw new Error("wrong event");
  expect(JSON.parse(metricsLine(state, event, null, 1))).toMatchObject({ has_errors });
});
