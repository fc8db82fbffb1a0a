import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { EventBody } from "../../../src/core/journal/event.ts";
import type { State } from "../../../src/core/journal/state.ts";
import { initialState } from "../../../src/core/journal/state.ts";
import { renderStateFiles } from "../../../src/core/state-files/render-state-files.ts";
import { statusFile } from "../../../src/core/state-files/status-file.ts";
import { closedBreaker } from "../../../src/core/stop/circuit-breaker.ts";
import { STOP_REASONS, type StopReason } from "../../../src/core/stop/stop-reasons.ts";
import { seed } from "../../seed.ts";
import {
  after,
  agentFinished,
  analysis,
  evidence,
  iterationFinished,
  iterationStarted,
  runFinished,
  runStarted,
  START,
} from "./script.ts";

const context = { head: "abc", outputFile: ".ralph/logs/claude_output_x.log" };
const parse = (text: string | null): Record<string, unknown> => JSON.parse(text ?? "null");
const status = (...events: EventBody[]) => parse(statusFile(after(...events), { complete: true }));
const files = (...events: EventBody[]) => renderStateFiles(after(...events), context);
const iso = (second: number) => new Date(START + second * 1000).toISOString().replace(".000Z", "+00:00");

const open = {
  ...closedBreaker(),
  state: "open" as const,
  since: START,
  reason: "stagnation_detected" as const,
  sentence: "No progress in 3 iterations.",
  no_progress: 3,
  total_opens: 1,
};

describe("status.json", () => {
  test("has the fields of both originals and ralph's own", () => {
    expect(status(runStarted(), iterationStarted(1))).toEqual({
      timestamp: iso(1),
      loop_count: 1,
      calls_made_this_hour: 1,
      max_calls_per_hour: 100,
      tokens_used_this_hour: 0,
      max_tokens_per_hour: 0,
      last_action: "executing",
      status: "running",
      exit_reason: "",
      proof: null,
      next_reset: "10:00:00",
      driver_exit_code: null,
      driver: "claude-code",
      run: "r1",
      iteration: 1,
      pid: 42,
      tokens: 0,
      cost_usd: null,
      seq: 2,
    });
  });

  test.each([
    [[0, 0], "pass"],
    [[1, 0], "fail"],
  ])("has bmalph's word for gates that ended with %j: %s", (codes, overall_status) => {
    const gates = codes.map(
      (exit_code): EventBody => ({
        type: "gate_finished",
        command: `test ${exit_code}`,
        exit_code,
        ms: 1,
        timed_out: false,
        output: "",
      }),
    );
    const begun = [runStarted(undefined, { QUALITY_GATE_MODE: "block" }), iterationStarted(1), agentFinished()];
    expect(status(...begun)).not.toHaveProperty("quality_gates");
    expect(status(...begun, ...gates, iterationFinished())).toMatchObject({
      quality_gates: { overall_status, mode: "block" },
    });
  });

  test.each([
    ["warn", "block"],
    ["block", "block"],
    ["circuit-breaker", "circuit-breaker"],
  ])("has, under the policy by which every gate blocks, the mode that counts: %s is %s", (QUALITY_GATE_MODE, mode) => {
    const gate: EventBody = { type: "gate_finished", command: "t", exit_code: 0, ms: 1, timed_out: false, output: "" };
    const begun = runStarted(undefined, { DONE_POLICY: "evidence", QUALITY_GATE_MODE });
    const ended = status(begun, iterationStarted(1), agentFinished(), gate, iterationFinished());
    expect(ended).toMatchObject({ quality_gates: { mode } });
  });

  test("names no event when another projection could not be written", () => {
    expect(parse(statusFile(after(runStarted()), { complete: false })).seq).toBeNull();
  });

  const wait = (why: "call_budget" | "usage_limit" | "paused" | "failure"): EventBody => ({
    type: "wait_started",
    until: new Date(START + 60_000).toISOString(),
    why,
    message: "m",
  });
  test.each<[string, EventBody[], string, string]>([
    ["after the start", [runStarted()], "running", "started"],
    ["between two iterations", [runStarted(), iterationStarted(1), iterationFinished()], "running", "completed"],
    [
      "after a failed iteration",
      [runStarted(), iterationStarted(1), iterationFinished({ outcome: "failed" })],
      "running",
      "failed",
    ],
    [
      "after a denial",
      [
        runStarted(),
        iterationStarted(1),
        iterationFinished({ analysis: { ...analysis, has_permission_denials: true } }),
      ],
      "running",
      "permission_denied",
    ],
    [
      "in the iteration after a denial",
      [
        runStarted(),
        iterationStarted(1),
        iterationFinished({ analysis: { ...analysis, has_permission_denials: true } }),
        iterationStarted(2),
      ],
      "running",
      "permission_denied",
    ],
    [
      "in the iteration after an answer without a denial",
      [
        runStarted(),
        iterationStarted(1),
        iterationFinished({ analysis: { ...analysis, has_permission_denials: true } }),
        iterationStarted(2),
        iterationFinished(),
        iterationStarted(3),
      ],
      "running",
      "executing",
    ],
    ["while waiting for the provider", [runStarted(), wait("usage_limit")], "paused", "api_limit"],
    ["while waiting for the budget", [runStarted(), wait("call_budget")], "paused", "waiting_call_budget"],
    [
      "after a wait",
      [runStarted(), wait("usage_limit"), { type: "wait_ended", why: "usage_limit" }],
      "running",
      "api_limit",
    ],
  ])("has the word and action %s", (_, events, word, action) => {
    expect(status(...events)).toMatchObject({ status: word, last_action: action, exit_reason: "" });
  });

  test.each(Object.keys(STOP_REASONS) as StopReason[])("has the word, action and reason of the stop %s", (reason) => {
    expect(status(runStarted(), runFinished(reason))).toMatchObject({
      status: STOP_REASONS[reason].status,
      last_action: STOP_REASONS[reason].action,
      exit_reason: reason === "usage_limit" ? "api_5hour_limit" : reason,
    });
  });

  test.each<[StopReason, string, string, string]>([
    ["project_complete", "completed", "graceful_exit", "project_complete"],
    ["completion_signals", "completed", "graceful_exit", "completion_signals"],
    ["test_saturation", "completed", "graceful_exit", "test_saturation"],
    ["plan_complete", "completed", "graceful_exit", "plan_complete"],
    ["stagnation_detected", "halted", "circuit_breaker_open", "stagnation_detected"],
    ["read_only_timeouts", "halted", "circuit_breaker_open", "read_only_timeouts"],
    ["permission_denied", "halted", "permission_denied", "permission_denied"],
    ["usage_limit", "stopped", "api_limit_exit", "api_5hour_limit"],
    ["interrupted", "stopped", "interrupted", "interrupted"],
    ["internal_error", "error", "unexpected_exit", "internal_error"],
  ])("has the originals' words for the end %s", (reason, word, last_action, exit_reason) => {
    expect(status(runStarted(), runFinished(reason))).toMatchObject({ status: word, last_action, exit_reason });
  });

  test("shows no calls of a past hour", () => {
    const state = after(runStarted(), iterationStarted(1));
    const later = { ...state, updated_at: new Date(START + 3_600_000).toISOString() };
    expect(parse(statusFile(later, { complete: true }))).toMatchObject({
      calls_made_this_hour: 0,
      next_reset: "11:00:00",
    });
    expect(renderStateFiles(later, context)[".call_count"]).toBe("0\n");
  });
});

describe("progress.json", () => {
  test("is absent before the first iteration", () => expect(files(runStarted())["progress.json"]).toBeNull());

  test.each<[string, EventBody[], Record<string, unknown>]>([
    [
      "executing",
      [runStarted(), iterationStarted(1), { type: "agent_text", call: 1, text: 'say "hi"\tnow' }],
      {
        status: "executing",
        indicator: "⠋",
        elapsed_seconds: 1,
        last_output: 'say "hi" now',
        timestamp: "2026-01-31 09:05:02",
      },
    ],
    [
      "completed",
      [runStarted(), iterationStarted(1), iterationFinished()],
      { status: "completed", timestamp: "2026-01-31 09:05:02", files_changed: 2 },
    ],
    [
      "timed out with changes",
      [runStarted(), iterationStarted(1), iterationFinished({ outcome: "timed_out" })],
      { status: "timed_out_productive", timestamp: "2026-01-31 09:05:02", files_changed: 2 },
    ],
    [
      "timed out without any",
      [
        runStarted(),
        iterationStarted(1),
        iterationFinished({ outcome: "timed_out", evidence: { ...evidence, progress: false, files_changed_count: 0 } }),
      ],
      { status: "failed", timestamp: "2026-01-31 09:05:02", error: "timed out", files_changed: 0 },
    ],
    [
      "failed",
      [
        runStarted(),
        iterationStarted(1),
        agentFinished({ ok: false, outcome: "failed", exit_code: 1, error: { class: "request", message: "bad" } }),
        iterationFinished({ outcome: "failed" }),
      ],
      { status: "failed", timestamp: "2026-01-31 09:05:03", error: "bad", files_changed: 2 },
    ],
    [
      "interrupted",
      [runStarted(), iterationStarted(1), { type: "iteration_interrupted", number: 1, why: "SIGTERM" }],
      { status: "failed", timestamp: "2026-01-31 09:05:02", error: "interrupted" },
    ],
    [
      "waiting in the middle",
      [
        runStarted(),
        iterationStarted(1),
        { type: "wait_started", until: new Date(START).toISOString(), why: "usage_limit", message: "" },
      ],
      { status: "paused", timestamp: "2026-01-31 09:05:02" },
    ],
  ])("has the fields of an iteration: %s", (_, events, expected) => {
    expect(parse(files(...events)["progress.json"])).toEqual(expected);
  });
});

describe("counters, signals and analysis", () => {
  test("are written as plain lines and JSON", () => {
    const usage = {
      call: 1,
      input_tokens: 100,
      output_tokens: 50,
      cache_read_tokens: 9,
      cache_creation_tokens: null,
      cost_usd: 1,
      duration_ms: null,
      turns: null,
      model: "m",
    };
    const done = iterationFinished({
      analysis: { ...analysis, has_completion_signal: true, is_completion_indicator: true },
    });
    const all = files(runStarted(), iterationStarted(1), { type: "agent_usage", ...usage }, done);
    expect(all[".call_count"]).toBe("1\n");
    expect(all[".token_count"]).toBe("150\n");
    expect(all[".last_reset"]).toBe("2026013109\n");
    expect(all[".loop_start_sha"]).toBe("abc\n");
    expect(parse(all[".exit_signals"])).toEqual({ test_only_loops: [], done_signals: [1], completion_indicators: [1] });
    expect(parse(all[".response_analysis"])).toMatchObject({
      loop_number: 1,
      timestamp: iso(3),
      output_file: context.outputFile,
      output_format: "json",
      analysis: { has_completion_signal: true, files_modified: 2 },
    });
  });

  test("have no analysis before the first answer, and name the text format in it", () => {
    expect(files(runStarted())[".response_analysis"]).toBeNull();
    const text = files(
      runStarted(undefined, { CLAUDE_OUTPUT_FORMAT: "text" }),
      iterationStarted(1),
      iterationFinished(),
    );
    expect(parse(text[".response_analysis"]).output_format).toBe("text");
  });

  test("have an empty line as the start commit without a repository", () => {
    expect(renderStateFiles(after(runStarted()), { head: null, outputFile: null })[".loop_start_sha"]).toBe("\n");
  });
});

describe("the circuit breaker's files", () => {
  test("have opened_at, a reason and the change in the history for an open one", () => {
    const all = files(runStarted(), iterationStarted(1), iterationFinished({ breaker: open }));
    expect(parse(all[".circuit_breaker_state"])).toEqual({
      state: "OPEN",
      last_change: iso(2),
      consecutive_no_progress: 3,
      consecutive_same_error: 0,
      consecutive_permission_denials: 0,
      consecutive_read_only_timeouts: 0,
      last_progress_loop: 0,
      total_opens: 1,
      reason: "No progress in 3 iterations.",
      current_loop: 1,
      opened_at: iso(0),
    });
    expect(JSON.parse(all[".circuit_breaker_history"])).toEqual([
      { timestamp: iso(2), loop: 1, from_state: "CLOSED", to_state: "OPEN", reason: "No progress in 3 iterations." },
    ]);
  });

  test.each([
    ["warning", "Monitoring: 2 iterations without progress."],
    ["cooldown", "Cooldown over: the next iteration decides."],
  ] as const)("have the reason and no opened_at for one half open by %s", (why, reason) => {
    const half = { ...closedBreaker(), state: "half_open" as const, why, no_progress: 2 };
    const file = parse(
      files(runStarted(), iterationStarted(1), iterationFinished({ breaker: half }))[".circuit_breaker_state"],
    );
    expect(file).toMatchObject({ state: "HALF_OPEN", reason });
    expect(file).not.toHaveProperty("opened_at");
  });

  test("keep the last 50 changes across a reset, without the snapshot of a new run", () => {
    const half = { ...closedBreaker(), state: "half_open" as const, why: "warning" as const };
    const flips = Array.from({ length: 60 }, (_, i) => [
      iterationStarted(i + 1),
      iterationFinished({ breaker: i % 2 === 0 ? half : closedBreaker() }),
    ]).flat();
    const first = after(runStarted(), ...flips, { type: "reset", what: "circuit", reason: "manual_circuit_reset" });
    expect(first.breaker_history).toHaveLength(50);
    expect(after(runStarted({ ...first, breaker: open })).breaker_history).toEqual(first.breaker_history);
  });
});

describe("the session files", () => {
  const session: EventBody = { type: "agent_session", call: 1, session_id: "s-1" };

  test("have the id and times of a live session", () => {
    const all = files(runStarted(), iterationStarted(1), session);
    expect(parse(all[".ralph_session"])).toEqual({ session_id: "s-1", created_at: iso(2), last_used: iso(2) });
    expect(parse(all[".claude_session_id"])).toEqual({ session_id: "s-1", timestamp: iso(2), driver: "claude-code" });
    expect(JSON.parse(all[".ralph_session_history"])).toEqual([]);
  });

  test("have the time and reason of a reset session", () => {
    const all = files(runStarted(), iterationStarted(1), session, {
      type: "reset",
      what: "session",
      reason: "project_complete",
    });
    expect(parse(all[".ralph_session"])).toEqual({
      session_id: "",
      reset_at: iso(3),
      reset_reason: "project_complete",
    });
    expect(all[".claude_session_id"]).toBeNull();
    expect(JSON.parse(all[".ralph_session_history"])).toEqual([
      { timestamp: iso(3), from_state: "active", to_state: "reset", reason: "project_complete", loop_number: 1 },
    ]);
  });

  test("are absent without any session", () => {
    expect(files(runStarted())).toMatchObject({ ".ralph_session": null, ".claude_session_id": null });
  });
});

test("every state file is valid, well-formed JSON with any texts", () => {
  const text = fc.string({ unit: "binary" });
  const lone = fc.constantFrom("\ud83d", "\udc00x", '"', "\n", "\\", "\u0000", "\u2028");
  const hostile = fc.tuple(text, lone, text).map((parts) => parts.join(""));
  fc.assert(
    fc.property(hostile, hostile, (a, b) => {
      const state: State = {
        ...after(runStarted(), iterationStarted(1)),
        last_output: a,
        driver: b,
        last_action: a,
        session: { session_id: a, driver: b, created_at: a, last_used: b },
        session_history: [{ timestamp: a, from_state: b, to_state: a, reason: b, loop_number: 1 }],
        breaker: { ...open, sentence: a },
        updated_at: b,
      };
      const {
        ".call_count": _c,
        ".token_count": _t,
        ".last_reset": _l,
        ".loop_start_sha": _s,
        ...json
      } = renderStateFiles(state, { head: a, outputFile: b });
      for (const content of [...Object.values(json), statusFile(state, { complete: true })]) {
        if (content === null) continue;
        JSON.parse(content);
        expect(content).not.toMatch(/\\u[dD][89a-fA-F]/u);
      }
    }),
    { seed, numRuns: 200 },
  );
});

test("no state makes a projection throw", () => {
  const state = { ...initialState("/p"), iteration: 1, updated_at: "never", breaker: { ...open, since: Number.NaN } };
  expect(() => [renderStateFiles(state, context), statusFile(state, { complete: true })]).not.toThrow();
});

test("state files are indented by two spaces, as the originals wrote them", () => {
  expect(statusFile(after(runStarted()), { complete: true })).toStartWith('{\n  "timestamp"');
});

test("settings that a run of another version lacks are bounds of 0 in status.json", () => {
  expect(parse(statusFile({ ...after(runStarted()), settings: {} }, { complete: true }))).toMatchObject({
    max_calls_per_hour: 0,
    max_tokens_per_hour: 0,
  });
});
