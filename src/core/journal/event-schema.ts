import * as v from "valibot";
import type { ToolCall } from "../../driver.ts";
import { DAY_MS } from "../durations.ts";
import { isRecord } from "../json-value.ts";
import { isValueOf } from "../settings/setting-schema.ts";
import { SETTING_NAMES, settingSpec } from "../settings/settings.ts";
import { STOP_REASONS } from "../stop/stop-reasons.ts";
import { type EventBody, JOURNAL_VERSION, type RalphEvent, type WaitReason } from "./event.ts";
import type { State } from "./state.ts";

/**
 * Half of what a `Date` can hold, in ms before and after 1970: a time and a duration of at most this much make another time, in whatever
 * time zone.
 */
const MAX_TIME_MS = 8.64e15 / 2;

const s = v.string();
/** Beyond all that is counted: with more, sums of them could be infinite, which JSON can read (`1e999`) and writes as null. */
const MOST = 1e200;
const n = v.pipe(v.number(), v.minValue(-MOST), v.maxValue(MOST));
const yes = v.boolean();
const maybe = v.optional;
const nullable = v.nullable;
const strings = v.array(s);
const numbers = v.array(n);
/** ISO time. A text that is no time would fail only where it is shown. */
const time = v.pipe(s, v.check(isTime));
/** "" before a run has begun. */
const timeOrNone = v.union([v.literal(""), time]);
const epochMs = v.pipe(n, v.minValue(-MAX_TIME_MS), v.maxValue(MAX_TIME_MS));
/** Below zero where the clock was set back. */
const ms = epochMs;
/** No clock on Earth is farther from UTC. */
const offset = v.pipe(n, v.minValue(-DAY_MS), v.maxValue(DAY_MS));
const object = v.looseObject;

/** Made at its first use: a journal has a few of these, a start often none, and all of them would take it 2 ms (measured). */
function lazily<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

const usage = {
  input_tokens: nullable(n),
  output_tokens: nullable(n),
  cache_read_tokens: nullable(n),
  cache_creation_tokens: nullable(n),
  cost_usd: nullable(n),
  duration_ms: nullable(n),
  turns: nullable(n),
  model: nullable(s),
  estimated_usd: maybe(n),
};
/** What calls used, as another of ralph's records has it. */
export const usageSchema = object(usage);
/** The input of each tool in canonical form, as `ToolCall` in driver.ts has it. */
const TOOLS: Readonly<Record<ToolCall["tool"], v.ObjectEntries>> = {
  Read: { file_path: s },
  Edit: { file_path: s, old_string: s, new_string: s },
  Write: { file_path: s, content: s },
  Bash: { command: s, description: nullable(s) },
  Glob: { pattern: s, path: nullable(s) },
  Grep: { pattern: s, path: nullable(s), include: nullable(s) },
  Other: {},
};
const process = { pid: n, group: n, start_time: nullable(s), marker: s };
const plan = object({ total: n, checked: n, unchecked: maybe(n), blocking_unchecked: n });
const error = object({ class: s, message: s });
const usageLimit = object({ kind: s, resets_at: nullable(time), message: s });
const counts = object({ passed: n, failed: n, skipped: n });
const gap = { command: s, why: s };
const range = object({ low: n, p50: n, p90: n });
const forecast = { tasks_left: n, from_tasks: n, usd: nullable(range), ms: range };
const reasons = v.array(object({ path: s, line: nullable(n), what: s }));
const WAIT_REASONS = [
  "call_budget",
  "token_budget",
  "usage_limit",
  "rate_limit",
  "failure",
  "offline",
  "idle",
  "paused",
] as const satisfies readonly WaitReason[];
const waitReason = v.picklist(WAIT_REASONS);
const stopReason = v.picklist(Object.keys(STOP_REASONS));
const breakerCounts = {
  no_progress: n,
  same_error: n,
  denials: n,
  read_only_timeouts: n,
  fingerprint: nullable(s),
  total_opens: n,
  last_progress: n,
};
const breaker = lazily(() =>
  v.variant("state", [
    object({ state: v.literal("closed"), ...breakerCounts }),
    object({ state: v.literal("half_open"), why: s, ...breakerCounts }),
    object({ state: v.literal("open"), since: epochMs, reason: s, sentence: s, ...breakerCounts }),
  ]),
);
const analysis = lazily(() =>
  object({
    has_completion_signal: yes,
    exit_signal: yes,
    exit_signal_explicit: yes,
    status: nullable(s),
    tasks_completed: nullable(n),
    tests_status: nullable(s),
    work_type: nullable(s),
    recommendation: nullable(s),
    is_test_only: yes,
    is_stuck: yes,
    files_modified: n,
    confidence_score: n,
    work_summary: s,
    output_length: n,
    has_permission_denials: yes,
    permission_denial_count: n,
    denied_commands: strings,
    asking_questions: yes,
    errors: strings,
    error_count: n,
    is_error: yes,
    is_completion_indicator: maybe(yes),
    has_compound_command_limitation: maybe(yes),
    compound_command_count: maybe(n),
    question_count: maybe(n),
    same_error_count: maybe(n),
    usage_limit: maybe(nullable(usageLimit)),
  }),
);
const evidence = lazily(() =>
  object({
    progress: yes,
    commits: strings,
    committed_inside: maybe(v.literal(true)),
    files_changed: strings,
    files_changed_count: n,
    plan_delta: n,
    plan_ticked: maybe(strings),
    plan_taken_off: maybe(strings),
    plan_reworded: maybe(v.array(object({ from: s, to: s }))),
    subject: maybe(s),
    plan: nullable(plan),
    head: nullable(s),
    fingerprint: nullable(s),
  }),
);
const verdict = object({ rule: s, sentence: s });
const findings = lazily(() =>
  object({
    severity: s,
    issues_found: n,
    summary: s,
    details: v.array(object({ severity: s, file: nullable(s), line: nullable(n), issue: s, suggestion: nullable(s) })),
  }),
);
const record = lazily(() =>
  object({
    number: n,
    at: time,
    outcome: s,
    analysis: analysis(),
    evidence: evidence(),
    verdict,
    usage: object(usage),
    ms,
  }),
);
const gateRecord = lazily(() =>
  object({
    ...{ command: s, ok: yes, exit_code: nullable(n), timed_out: yes, tail: s },
    ...{ weakened: maybe(v.literal(true)), no_tests: maybe(v.literal(true)) },
    hidden: maybe(object({ number: n, requirement: nullable(s) })),
    gap: maybe(s),
    failing: maybe(strings),
  }),
);
const landedBranches = v.array(object({ name: s, commit: s, task: nullable(s), text: nullable(s) }));
const landed = { target: s, from: s, to: s, branches: landedBranches };
const weakened = { commands: strings, evidence: s, reasons, diff: s };
const taskAtWork = object({ task: s, text: s, worker: s, branch: s, since: time });

/** A snapshot at the start of a journal, or kept beside one; whatever older ones lack is filled in. */
const state = lazily(() =>
  object({
    ...{ run: maybe(s), seq: maybe(n), project: maybe(s), version: maybe(s), driver: maybe(s), display_name: maybe(s) },
    ...{ started_by: maybe(s), task: maybe(nullable(s)), words: maybe(strings), pid: maybe(nullable(n)) },
    settings: maybe(object({})),
    ...{ iteration: maybe(n), iterations: maybe(n), calls: maybe(n), paused: maybe(yes), more_iterations: maybe(n) },
    ...{ last_action: maybe(s), last_output: maybe(s) },
    last_call: maybe(nullable(object({ outcome: s, exit_code: nullable(n), ok: yes, error: nullable(error), ms }))),
    budget: maybe(object({ hour: s, resets_at: epochMs, calls: n, tokens: n, utc_offset: maybe(offset) })),
    usage: maybe(object(usage)),
    earlier: maybe(object({ iterations: n, usage: object(usage) })),
    broken_off: maybe(
      v.array(
        object({
          ...{ started_by: s, task: nullable(s), iterations: n, usage: object(usage) },
          bounds: object({}),
          ...{ task_usage: object(usage), task_ms: ms, more_iterations: n },
        }),
      ),
    ),
    task_usage: maybe(object(usage)),
    task_ms: maybe(ms),
    work_ms: maybe(ms),
    paces: maybe(v.array(object({ usd: nullable(n), ms: n, boxes: n }))),
    forecast: maybe(nullable(object(forecast))),
    day_spent: maybe(nullable(object({ day: s, usd: n }))),
    land: maybe(
      object({
        rate: object({ red: n, settled: n }),
        ...{ flakes: n, tested: n, landed: n, returned: n },
        open: nullable(object({ target: s, to: s, branches: landedBranches })),
      }),
    ),
    publish: maybe(
      object({
        rebase: nullable(object({ branch: s, from: s, onto: s, kept: nullable(s) })),
        rewritten: strings,
        failed: v.record(s, object({ iteration: n, text: s, command: nullable(s) })),
      }),
    ),
    checkpoint: maybe(nullable(object({ name: s, left_out: n, fault: nullable(s) }))),
    taken_off: maybe(strings),
    home: maybe(nullable(s)),
    cut_off: maybe(yes),
    blocked: maybe(n),
    stop_requested: maybe(nullable(object({ how: s, by: s }))),
    breaker: maybe(breaker()),
    breaker_history: maybe(v.array(object({ timestamp: time, loop: n, from_state: s, to_state: s, reason: s }))),
    session: maybe(
      v.union([
        object({
          session_id: s,
          driver: s,
          created_at: time,
          last_used: time,
          usage: maybe(object(usage)),
          costs: maybe(v.array(object({ cost: nullable(n), turns: nullable(n) }))),
        }),
        object({ session_id: v.null(), reset_at: nullable(s), reset_reason: nullable(s) }),
      ]),
    ),
    session_history: maybe(v.array(object({ timestamp: s, from_state: s, to_state: s, reason: s, loop_number: n }))),
    signals: maybe(object({ test_only_loops: numbers, done_signals: numbers, completion_indicators: numbers })),
    held: maybe(object({ disputed: n, gated: n, restarts: maybe(n) })),
    gates: maybe(v.array(gateRecord())),
    gate_trust: maybe(
      object({
        frozen: nullable(object({ run: s, digest: s, files: n })),
        weakened: nullable(object(weakened)),
        claims: n,
        accepted: n,
        history: v.record(
          s,
          object({ ok: yes, iteration: n, counts: nullable(counts), most: nullable(counts), flakes: n }),
        ),
        check: maybe(nullable(s)),
      }),
    ),
    gate: maybe(nullable(object({ command: s, process: object(process) }))),
    review: maybe(object({ iteration: n, files: strings, commits: strings, findings: nullable(findings()) })),
    looks: maybe(
      object({ call: n, changed: yes, made: n, clean: n, failed: n, sentence: s, gaps: v.array(object(gap)) }),
    ),
    trees: maybe(strings),
    trend: maybe(
      v.array(
        object({ number: n, output_length: n, progress: yes, test_only: yes, errors: nullable(s), tree: nullable(s) }),
      ),
    ),
    last: maybe(nullable(record())),
    plan: maybe(nullable(plan)),
    failures: maybe(
      object({
        count: n,
        in_a_row: n,
        class: nullable(s),
        message: s,
        until: nullable(epochMs),
        same: maybe(object({ count: n, since: epochMs, quick: yes })),
        answered: maybe(yes),
      }),
    ),
    headway: maybe(
      object({
        idle: n,
        quiet: maybe(n),
        worked: maybe(yes),
        committing: n,
        bare: n,
        same: n,
        files: strings,
        denied: maybe(n),
        denial: maybe(nullable(s)),
        gates: v.record(s, s),
        since_turn: maybe(nullable(n)),
        red_answers: maybe(n),
      }),
    ),
    limit: maybe(
      nullable(object({ kind: s, message: s, count: n, resets_at: nullable(time), until: nullable(epochMs) })),
    ),
    open: maybe(nullable(object({ number: n, call: n, started_at: time, usage: object(usage) }))),
    call: maybe(
      nullable(
        object({
          purpose: s,
          driver: maybe(s),
          call: n,
          iteration: n,
          agent: nullable(object(process)),
          spent_before: maybe(object(usage)),
          usage_from: maybe(n),
          used_tools: maybe(yes),
        }),
      ),
    ),
    wait: maybe(nullable(object({ until: time, why: waitReason, message: s }))),
    tasks_at_work: maybe(v.array(taskAtWork)),
    left_at_work: maybe(v.array(taskAtWork)),
    said: maybe(v.array(object({ at: time, text: s, used_in: nullable(n) }))),
    tools: maybe(v.array(v.custom<unknown>((tool) => isRecord(tool) && isToolCall(tool)))),
    finished: maybe(
      nullable(object({ reason: stopReason, exit_code: n, sentence: s, at: time, proof: maybe(nullable(s)) })),
    ),
    inbox: maybe(
      object({
        asked: n,
        open: v.array(object({ number: n, run: s, iteration: n, kind: s, task: nullable(s), text: s, parked: yes })),
        settled: strings,
      }),
    ),
    broke_off_at: maybe(nullable(time)),
    started_at: maybe(timeOrNone),
    updated_at: maybe(timeOrNone),
    unknown: maybe(v.record(s, n)),
  } satisfies Record<keyof State, v.GenericSchema>),
);

const call = n;
const gateEnd = { command: s, exit_code: nullable(n), ms, timed_out: yes };

/** What each event must hold for those who read it; more may stand in it (interfaces.md "Journal lines"). */
const BODIES = {
  run_started: () => ({
    version: s,
    driver: s,
    display_name: maybe(s),
    reviewer: maybe(s),
    sandbox: maybe(s),
    settings: object({}),
    state: state(),
    pid: n,
    started_by: s,
    project: s,
    task: maybe(nullable(s)),
    words: maybe(strings),
  }),
  run_recovered: () => ({ of_run: s, interrupted_iteration: nullable(n), ended_processes: numbers }),
  iteration_started: () => ({
    number: n,
    call,
    resume: maybe(nullable(s)),
    plan: nullable(plan),
    head: maybe(nullable(s)),
    snapshot: nullable(s),
    task: maybe(s),
    notes: maybe(s),
    branch: maybe(s),
  }),
  agent_started: () => ({ call, purpose: s, ...process, argv: strings, usage_from: maybe(n) }),
  agent_text: () => ({ call, text: s, nested: maybe(yes) }),
  agent_tool_started: () => ({ call, tool_id: s, tool: s, input: object({}) }),
  agent_tool_finished: () => ({ call, tool_use_id: s, content: s, is_error: yes, size: maybe(n) }),
  agent_usage: () => ({ call, ...usage }),
  agent_session: () => ({ call, session_id: s }),
  agent_limit: () => ({ call, kind: s, message: s, resets_at: nullable(time) }),
  agent_retry: () => ({ call, attempt: n, delay_ms: nullable(n), reason: s }),
  agent_finished: () => ({
    call,
    outcome: s,
    exit_code: nullable(n),
    signal: nullable(s),
    ms,
    ok: yes,
    final_text: nullable(s),
    error: nullable(error),
    unknown_events: n,
    no_writes: maybe(yes),
    repeat: nullable(s),
  }),
  gate_started: () => ({ command: s, ...process }),
  gate_finished: () => ({
    ...gateEnd,
    output: s,
    file: maybe(s),
    tail: maybe(s),
    failing: maybe(strings),
    counts: maybe(counts),
    no_tests: maybe(v.literal(true)),
    first_run: maybe(object({ exit_code: nullable(n), timed_out: yes, file: s })),
    hidden: maybe(object({ number: n, requirement: nullable(s) })),
  }),
  gate_frozen: () => ({ digest: s, files: n, bytes: n, unkept: n, continues: nullable(s) }),
  gate_probed: () => ({ ...gateEnd, gate_files: s, file: s }),
  gate_weakened: () => weakened,
  done_unchecked: () => ({ why: s, check: nullable(s) }),
  gate_restored: () => ({}),
  gate_accepted: () => ({}),
  review_started: () => ({ number: n, call }),
  review_finished: () => ({ call, findings: nullable(findings()), sentence: s }),
  look_started: () => ({ number: n, call, driver: s, display_name: s }),
  gap_checked: () => ({ ...gateEnd, output: s, file: s }),
  gap_named: () => ({ ...gap, exit_code: n, output: s }),
  look_finished: () => ({ call, result: s, gap: nullable(object(gap)), sentence: s }),
  import_started: () => ({ call, document: s, missing: strings }),
  iteration_finished: () => ({
    outcome: s,
    analysis: analysis(),
    evidence: evidence(),
    verdict,
    breaker: breaker(),
    usage: object(usage),
    ms,
  }),
  iteration_interrupted: () => ({ number: n, why: s, plan: maybe(nullable(plan)) }),
  stop_requested: () => ({ how: s, by: s }),
  stop_withdrawn: () => ({}),
  said: () => ({ text: s }),
  paused: () => ({}),
  question_asked: () => ({ kind: s, task: nullable(s), text: s, parked: yes }),
  question_answered: () => ({ number: n, text: s }),
  questions_dropped: () => ({ numbers }),
  answer_passed_on: () => ({ task: s, text: s }),
  said_passed_on: () => ({ text: s, workers: strings }),
  resumed: () => ({}),
  bound_raised: () => ({ iterations: n }),
  wait_started: () => ({ until: time, why: waitReason, message: s }),
  wait_ended: () => ({ why: waitReason }),
  reset: () => ({ what: s, reason: s }),
  checkpoint_made: () => ({ name: s, commit: s, left_out: n }),
  checkpoint_missed: () => ({ name: s, why: s }),
  task_claimed: () => ({ task: s, text: s, worker: s, branch: s, session: nullable(s), used: maybe(object(usage)) }),
  task_released: () => ({
    task: s,
    worker: s,
    outcome: v.picklist(["handed_in", "given_back", "parked", "lost"]),
    why: s,
    spent: maybe(object({ iterations: n, calls: n, usage: object(usage) })),
  }),
  undone: () => ({
    to: nullable(s),
    task: maybe(s),
    kept: s,
    written: n,
    deleted: n,
    set_aside: strings,
    left: strings,
    changed_since: maybe(strings),
  }),
  land_stacked: () => ({ target: s, base: s, tip: s, branches: strings, waiting: n, untested: maybe(yes) }),
  land_tested: () => ({ target: s, commit: s, branches: strings, green: yes, flaky: strings, ms }),
  landing: () => landed,
  landed: () => ({ ...landed, ticked: maybe(strings) }),
  land_returned: () => ({
    branch: s,
    task: nullable(s),
    text: nullable(s),
    why: s,
    claim: s,
    message: s,
    files: maybe(strings),
  }),
  land_held: () => ({ target: s, why: s, text: s }),
  git_step: () => ({
    step: v.picklist(["commit", "rebase", "push", "tag", "index"]),
    result: v.picklist(["done", "begun", "conflict", "failed"]),
    text: s,
    commit: maybe(s),
    branch: maybe(s),
    from: maybe(s),
    onto: maybe(s),
    kept: maybe(s),
    remote: maybe(s),
    tag: maybe(s),
    number: maybe(n),
    call: maybe(n),
    command: maybe(s),
    stays: maybe(yes),
  }),
  forecast_made: () => forecast,
  day_spent: () => ({ day: s, usd: n }),
  note: () => ({ level: v.picklist(["info", "warn", "error"]), text: s }),
  run_finished: () => ({
    stop_reason: stopReason,
    exit_code: n,
    sentence: s,
    iterations: n,
    calls: n,
    usage: object(usage),
    cost_usd: nullable(n),
    proof: maybe(nullable(s)),
  }),
} satisfies Record<EventBody["type"], () => v.ObjectEntries>;

type Check = (value: Readonly<Record<string, unknown>>) => boolean;

const CHECKS: ReadonlyMap<string, () => Check> = new Map<string, () => Check>([
  ...Object.entries(BODIES).map(([type, body]) => [type, lazily(() => checkOf(body()))] as const),
  ["agent_tool_started", () => isToolCall],
]);

const INPUT_CHECKS: ReadonlyMap<string, Check> = new Map(
  Object.entries(TOOLS).map(([tool, input]) => [tool, checkOf(input)] as const),
);

function checkOf(body: v.ObjectEntries): Check {
  const schema = object(body);
  return simpleCheck(body) ?? ((value) => v.is(schema, value));
}

/**
 * The check of an event of plain fields, such as the agent's words: most of a long journal, which takes half as long again to read
 * if they pass through the schema. Null for any other event.
 */
function simpleCheck(body: v.ObjectEntries): Check | null {
  const fields = Object.entries(body).flatMap(([name, schema]) => {
    const kinds = kindsOf(schema);
    return kinds === null ? [] : [[name, kinds] as const];
  });
  if (fields.length < Object.keys(body).length) return null;
  return (value) => {
    for (const [name, kinds] of fields) if (!kinds.includes(kindOf(value[name]))) return false;
    return true;
  };
}

/** The kinds of values that a schema allows, if it asks for nothing else. */
function kindsOf(schema: Plain): readonly string[] | null {
  if (schema === s) return ["string"];
  if (schema === n) return ["number"];
  if (schema === yes) return ["boolean"];
  const [more] = schema.type === "nullable" ? ["null"] : schema.type === "optional" ? ["undefined"] : [];
  const kinds = more === undefined || schema.wrapped === undefined ? null : kindsOf(schema.wrapped);
  return kinds === null || more === undefined ? null : [more, ...kinds];
}

/** What `kindsOf` looks at in a schema. */
type Plain = { readonly type: string; readonly wrapped?: Plain };

function kindOf(value: unknown): string {
  if (typeof value === "number" && Math.abs(value) > MOST) return "no number of ours";
  return value === null ? "null" : typeof value;
}

function isToolCall(value: Readonly<Record<string, unknown>>): boolean {
  const { call, tool_id, tool, name, input } = value;
  const check = typeof tool === "string" ? INPUT_CHECKS.get(tool) : undefined;
  if (check === undefined || typeof call !== "number" || typeof tool_id !== "string") return false;
  return (tool !== "Other" || typeof name === "string") && isRecord(input) && check(input);
}

/** Whether an event says all that those who read it rely on; true for types that only a later program knows. */
export function isWhole(body: Readonly<Record<string, unknown>>): boolean {
  return CHECKS.get(String(body.type))?.()(body) ?? true;
}

/**
 * An event from a line of a journal; null for a line that is none: not JSON, or of the wrong shape. Of a newer version only the
 * envelope counts.
 */
export function parseEvent(line: string): RalphEvent | null {
  const value = parsed(line);
  if (!isEvent(value)) return null;
  return value.type === "run_started" && value.v <= JOURNAL_VERSION ? withUsableSettings(value) : value;
}

/** What a journal came to, from its text; null if it is not of the shape of one. */
export function parseState(text: string): State | null {
  const value = parsed(text);
  return isState(value) ? withUsableSettings(value) : null;
}

/**
 * Without the settings that can be none of this program: their version had others, or nobody's ralph wrote them. Whoever needs one then
 * takes its default, as where the version did not know it yet.
 */
function withUsableSettings<T extends { settings?: Record<string, unknown> }>(from: T): T {
  const { settings = {} } = from;
  const unusable = SETTING_NAMES.filter((name) => name in settings && !isValueOf(settingSpec(name), settings[name]));
  if (unusable.length === 0) return from;
  const usable = Object.entries(settings).filter(([name]) => !unusable.some((one) => one === name));
  return { ...from, settings: Object.fromEntries(usable) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isTime(text: string): boolean {
  return Math.abs(Date.parse(text)) <= MAX_TIME_MS;
}

function isState(value: unknown): value is State {
  return v.is(state(), value);
}

/** Each event has two of them: no schema is asked. */
function isFigure(value: unknown): boolean {
  return typeof value === "number" && Math.abs(value) <= MOST;
}

function isEvent(value: unknown): value is RalphEvent {
  if (!isRecord(value)) return false;
  const { v: version, seq, at, run, iteration, type } = value;
  if (typeof version !== "number" || !isFigure(seq) || !isFigure(iteration)) return false;
  if (typeof run !== "string" || typeof type !== "string") return false;
  if (typeof at !== "string" || !isTime(at)) return false;
  return version > JOURNAL_VERSION || isWhole(value);
}
