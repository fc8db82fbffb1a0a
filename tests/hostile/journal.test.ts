/** Whatever stands in a journal: what is taken for an event can be folded and shown. */
import { expect, test } from "bun:test";
import { decide } from "../../src/core/decide/decide.ts";
import type { EventBody, RalphEvent } from "../../src/core/journal/event.ts";
import { parseEvent, parseState } from "../../src/core/journal/event-schema.ts";
import { stepOf } from "../../src/core/journal/event-step.ts";
import { reduce } from "../../src/core/journal/reduce.ts";
import { initialState, type State } from "../../src/core/journal/state.ts";
import { noUsage } from "../../src/core/journal/usage.ts";
import { buildReport } from "../../src/core/report/build-report.ts";
import { notificationFor } from "../../src/core/report/notification.ts";
import { statusReport } from "../../src/core/report/status-report.ts";
import { defaultSettings } from "../../src/core/settings/settings.ts";
import { formatLiveEvent } from "../../src/core/state-files/live-log.ts";
import { metricsLine } from "../../src/core/state-files/metrics-file.ts";
import { renderStateFiles } from "../../src/core/state-files/render-state-files.ts";
import { logEntry } from "../../src/core/state-files/run-log.ts";
import { statusFile } from "../../src/core/state-files/status-file.ts";
import type { SettingChanges } from "../../src/core/what-if/changed-settings.ts";
import { whatIf } from "../../src/core/what-if/what-if.ts";
import { initialRunState, planRecovery } from "../../src/run/recovery.ts";
import { eventLines } from "../../src/view/live/event-lines.ts";
import { reportPage } from "../../src/view/report/page.ts";
import { reportLines } from "../../src/view/report/report-lines.ts";
import { statusLines } from "../../src/view/status-lines.ts";
import { style } from "../../src/view/text/style.ts";
import { whatIfLines } from "../../src/view/what-if-lines.ts";
import { NOON } from "../core/given.ts";
import { eventsOf, runningRun } from "../view/sample-run.ts";
import { chance, oneOf, spoiled, VALUES } from "./hostile.ts";

const process = { pid: 1, group: 1, start_time: null, marker: "m" };
const gap = { command: "npm test", why: "no test" };
const findings = {
  severity: "HIGH" as const,
  issues_found: 1,
  summary: "One.",
  details: [{ severity: "HIGH" as const, file: "a.ts", line: 1, issue: "wrong", suggestion: null }],
};

/** One of each event that the sample run lacks. */
const REST: EventBody[] = [
  { type: "run_recovered", of_run: "0006", interrupted_iteration: 2, ended_processes: [5] },
  { type: "agent_session", call: 1, session_id: "s1" },
  { type: "agent_limit", call: 1, kind: "usage_limit", message: "limit", resets_at: "2026-03-04T15:00:00.000Z" },
  { type: "agent_retry", call: 1, attempt: 1, delay_ms: 500, reason: "overloaded" },
  { type: "gate_started", command: "npm test", ...process },
  {
    type: "gate_finished",
    command: "npm test",
    exit_code: 1,
    ms: 5,
    timed_out: false,
    output: "no",
    counts: { passed: 1, failed: 1, skipped: 0 },
  },
  { type: "gate_frozen", digest: "d", files: 1, bytes: 1, unkept: 0, continues: null },
  { type: "gate_probed", command: "npm test", gate_files: "frozen", exit_code: 1, ms: 5, timed_out: false, file: "f" },
  {
    type: "gate_weakened",
    commands: ["npm test"],
    evidence: "words",
    reasons: [{ path: "a", line: 1, what: "skip" }],
    diff: "-a",
  },
  { type: "done_unchecked", why: "no_gate", check: "npm test" },
  { type: "gate_restored" },
  { type: "gate_accepted" },
  { type: "review_started", number: 1, call: 2 },
  { type: "review_finished", call: 2, findings, sentence: "One." },
  { type: "look_started", number: 1, call: 3, driver: "codex", display_name: "Codex" },
  { type: "gap_checked", command: "npm test", exit_code: 1, ms: 5, timed_out: false, output: "no", file: "f" },
  { type: "gap_named", ...gap, exit_code: 1, output: "no" },
  { type: "look_finished", call: 3, result: "gap", gap, sentence: "A gap." },
  { type: "import_started", call: 1, document: "prd.md", missing: [] },
  { type: "iteration_interrupted", number: 3, why: "killed" },
  { type: "said", text: "mind the tests" },
  { type: "question_asked", kind: "blocked", task: "Parser", text: "Which?", parked: true },
  { type: "question_asked", kind: "question", task: null, text: "How?", parked: false },
  { type: "question_answered", number: 1, text: "This." },
  { type: "questions_dropped", numbers: [1] },
  { type: "answer_passed_on", task: "0123456789ab", text: "Parser" },
  { type: "said_passed_on", text: "mind the tests", workers: ["w1", "w2"] },
  { type: "paused" },
  { type: "resumed" },
  { type: "bound_raised", iterations: 5 },
  { type: "wait_started", until: "2026-03-04T15:00:00.000Z", why: "usage_limit", message: "wait" },
  { type: "wait_ended", why: "usage_limit" },
  { type: "reset", what: "both", reason: "manual_reset_flag" },
  { type: "checkpoint_made", name: "3", commit: "0".repeat(40), left_out: 0 },
  { type: "checkpoint_missed", name: "4", why: "no space left" },
  { type: "task_claimed", task: "0123456789ab", text: "one", worker: "w1", branch: "ralph/one", session: "s" },
  { type: "task_released", task: "0123456789ab", worker: "w1", outcome: "handed_in", why: "done" },
  { type: "undone", to: "2", kept: "undo-1", written: 3, deleted: 1, set_aside: ["c"], left: ["a/b"] },
  {
    type: "forecast_made",
    tasks_left: 3,
    from_tasks: 4,
    usd: { low: 1, p50: 2, p90: 3 },
    ms: { low: 1, p50: 2, p90: 3 },
  },
  { type: "git_step", step: "push", result: "failed", text: "Not pushed: no", command: "git push" },
  { type: "git_step", step: "rebase", result: "begun", text: "On main.", branch: "a", from: "1", onto: "2" },
  { type: "day_spent", day: "2026-03-04", usd: 1 },
  { type: "note", level: "warn", text: "look" },
  { type: "stop_requested", how: "now", by: "SIGINT" },
  { type: "stop_withdrawn" },
  {
    type: "run_finished",
    stop_reason: "max_iterations",
    exit_code: 4,
    sentence: "Over.",
    iterations: 3,
    calls: 4,
    usage: noUsage(),
    cost_usd: 1,
  },
];

/** A run with every kind of event, begun by one that continues another with all that a state can hold. */
function sampleRun(): RalphEvent[] {
  const bodies = [
    ...runningRun.map(({ v: _v, seq: _s, at: _a, run: _r, iteration: _i, ...body }) => body as EventBody),
    ...REST,
  ];
  const events = eventsOf(bodies);
  let state = initialState("/p");
  const full: State[] = events.map((event) => (state = reduce(state, event)));
  const richest = full.reduce((best, one) => (JSON.stringify(one).length > JSON.stringify(best).length ? one : best));
  return events.map((event) => (event.type === "run_started" ? { ...event, state: richest } : event));
}

const page = { style: "", script: "", hash: () => "", shorten: (text: string) => text, live: true };
const lineOptions = {
  width: 80,
  style: style(true),
  shorten: page.shorten,
  verbose: true,
  live: true,
  toolsAsCalled: true,
};

/** Everything that is done with a journal. */
function useAll(events: readonly RalphEvent[]): void {
  let state = initialState("/p");
  for (const event of events) {
    const step = stepOf(state, event);
    ({ state } = step);
    eventLines(step, lineOptions);
    notificationFor(step);
    formatLiveEvent(event);
    logEntry(event);
    if (event.type === "iteration_finished") metricsLine(state, event, null, 1);
  }
  if (state.run === "") return;
  // The next run begins its journal with it.
  if (parseState(JSON.stringify(state)) === null) throw new Error("the state cannot be read again");
  renderStateFiles(state, { head: null, outputFile: null });
  statusFile(state, { complete: true });
  const status = statusReport(state, null, false, NOON);
  JSON.stringify(status);
  statusLines(status, { style: style(false), width: 80, now: NOON });
  const report = buildReport(events, { now: new Date(NOON).toISOString() });
  reportLines(report, { width: 80, style: style(false), shorten: page.shorten, live: true });
  for (const _ of reportPage(report, events, page));
  const answer = whatIf(events, CHANGES);
  if (answer !== null) whatIfLines(answer, { style: style(true), width: 80 });
  planRecovery(state);
  decide(initialRunState(state, defaultSettings(), NOON), defaultSettings(), NOON);
}

/** Settings that are asked about: each makes a replay decide by others of the record. */
const CHANGES: readonly SettingChanges[] = [
  { MAX_ITERATIONS: 1 },
  { DONE_POLICY: "evidence", CB_COOLDOWN_MINUTES: 1 },
  { MAX_CALLS_PER_HOUR: 1, SESSION_RENEW: 1, ON_QUESTION: "park" },
];

const whole = sampleRun();

test("an honest journal with each kind of event is read whole", () => {
  const read = whole.map((event) => parseEvent(JSON.stringify(event)));
  expect(read).toEqual(whole);
  useAll(whole);
});

/** Also what JSON may hold, and no value of a program that wrote it. */
const RAW = [...VALUES.map((value) => JSON.stringify(value)), "1e999", "-1e999", '{"__proto__":1}', '{"toString":1}'];

/** A text of JSON with another one at a place in it. */
function replaced(json: string, path: readonly string[], raw: string): string {
  const mark = "here";
  const put = (value: unknown, [key, ...rest]: readonly string[]): unknown => {
    if (key === undefined) return mark;
    const inner = (value as Record<string, unknown>)[key];
    return Array.isArray(value)
      ? value.with(Number(key), put(inner, rest))
      : { ...(value as object), [key]: put(inner, rest) };
  };
  return JSON.stringify(put(JSON.parse(json), path)).replace(`"${mark}"`, () => raw);
}

/** Every place in a value. */
function placesIn(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  const inner = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [at, ...inner.flatMap(([key, part]) => placesIn(part, [...at, key]))];
}

test("an event with anything else at any of its places is set aside, or does no harm", () => {
  const random = chance("journal");
  const failures = new Map<string, string>();
  let setAside = 0;
  const tryIt = (place: number, line: string) => {
    const event = parseEvent(line);
    if (event === null) setAside += 1;
    else
      try {
        useAll(whole.with(place, event));
      } catch (error) {
        const trace = (error as Error).stack ?? String(error);
        failures.set(trace.split("\n").slice(0, 3).join(" "), line.slice(0, 500));
      }
  };
  for (const [place, event] of whole.entries())
    for (const path of placesIn(event)) tryIt(place, replaced(JSON.stringify(event), path, oneOf(RAW, random)));
  for (let round = 0; round < 500; round += 1) {
    const place = random() < 0.3 ? 0 : Math.floor(random() * whole.length);
    tryIt(place, JSON.stringify(spoiled(whole[place], random)));
  }
  expect(Object.fromEntries(failures)).toEqual({});
  expect(setAside).toBeGreaterThan(1000);
});

test.each([
  "+275760-09-13T00:00:00.000Z",
  "-271821-04-20T00:00:00.000Z",
  "+138000-01-01T00:00:00Z",
  "0000-01-01T00:00:00Z",
])("a run of %s does no harm, in whatever time zone", (at) => {
  const zone = globalThis.process.env.TZ;
  try {
    for (const TZ of ["America/Lima", "Asia/Tokyo"]) {
      globalThis.process.env.TZ = TZ;
      useAll(whole.flatMap((event) => parseEvent(JSON.stringify({ ...event, at })) ?? []));
    }
  } finally {
    if (zone === undefined) delete globalThis.process.env.TZ;
    else globalThis.process.env.TZ = zone;
  }
});

const begun = (state: object) => {
  const started = eventsOf(runningRun)[0];
  if (started === undefined) throw new Error("no first event");
  return parseEvent(JSON.stringify({ ...started, state }));
};

test("a snapshot whose clock is farther from UTC than any on Earth is none", () => {
  const budget = { hour: "", resets_at: 0, calls: 0, tokens: 0 };
  expect(begun({ budget: { ...budget, utc_offset: 14 * 3_600_000 } })).not.toBeNull();
  for (const utc_offset of [1e18, -1e18, 90_000_000, "0", null])
    expect(begun({ budget: { ...budget, utc_offset } })).toBeNull();
});

test("a first line whose snapshot lacks everything is reported; one with a part of the wrong shape is none", () => {
  const bare = begun({});
  if (bare === null) throw new Error("it is no event");
  const report = buildReport([bare]);
  expect(report.plan).toBeNull();
  const options = { width: 80, style: style(false), shorten: (text: string) => text, live: false };
  expect(reportLines(report, options).length).toBeGreaterThan(0);
  for (const state of [
    { publish: "x" },
    { taken_off: 1 },
    { checkpoint: 2 },
    { stop_requested: "now" },
    { blocked: {} },
  ])
    expect([state, begun(state)]).toEqual([state, null]);
});
