import { describe, expect, test } from "bun:test";
import type { EventBody } from "../../../src/core/journal/event.ts";
import { initialState } from "../../../src/core/journal/state.ts";
import { noUsage } from "../../../src/core/journal/usage.ts";
import type { PlanCounts } from "../../../src/core/plan/fix-plan.ts";
import { buildReport } from "../../../src/core/report/build-report.ts";
import { countedIterations, type Report } from "../../../src/core/report/report-types.ts";
import { taskReceipts } from "../../../src/core/report/task-receipts.ts";
import {
  agentFinished,
  agentStarted,
  evidence,
  iterationFinished,
  iterationStarted,
  play,
  reportFrom,
  runFinished,
  runStarted,
  START,
} from "../state-files/script.ts";

function planAt(checked: number): PlanCounts {
  return { total: 3, checked, unchecked: 3 - checked, blocking_unchecked: 3 - checked };
}

function ticks(number: number, boxes: number, texts?: string[]): EventBody[] {
  return [
    { ...iterationStarted(number), plan: planAt(0) } as EventBody,
    iterationFinished({
      evidence: {
        ...evidence,
        plan: planAt(1),
        plan_delta: boxes,
        ...(texts === undefined ? {} : { plan_ticked: texts }),
      },
    }),
  ];
}

const edit = (file_path: string, old_string: string, new_string: string): EventBody => ({
  type: "agent_tool_started",
  call: 1,
  tool_id: file_path,
  tool: "Edit",
  input: { file_path, old_string, new_string },
});

test("an iteration's receipt has its cost, its changes and why the run continued", () => {
  const { iterations } = reportFrom(
    runStarted(),
    iterationStarted(1),
    agentStarted(),
    edit("/p/a.ts", "one\ntwo\nthree", "one\n2\nzwei\nthree"),
    agentFinished(),
    { type: "gate_finished", command: "npm test", exit_code: 1, ms: 30, timed_out: false, output: "" },
    iterationFinished(),
  );
  expect(iterations).toHaveLength(1);
  expect(iterations[0]).toMatchObject({
    number: 1,
    outcome: "answered",
    calls: 1,
    tools: 1,
    wall_ms: 5000,
    agent_ms: 1000,
    commits: ["c1"],
    files_changed: 2,
    lines_added: 2,
    lines_removed: 1,
    gates: [{ command: "npm test", ok: false, ms: 30 }],
    sentence: "Two files changed.",
    rule: "progress",
  });
  expect(iterations[0]?.files).toEqual([
    { path: "a.ts", added: 2, removed: 1 },
    { path: "b.ts", added: 0, removed: 0 },
  ]);
});

test("the report of a live run lasts until now, even during a wait", () => {
  const wait: EventBody = { type: "wait_started", until: new Date(0).toISOString(), why: "usage_limit", message: "" };
  const events = play(runStarted(), iterationStarted(1), wait).map(({ event }) => event);
  expect(buildReport(events)).toMatchObject({ wall_ms: 2000, waited_ms: 0 });
  const now = new Date(START + 3_600_000).toISOString();
  expect(buildReport(events, { now })).toMatchObject({ wall_ms: 3_600_000, waited_ms: 3_598_000 });
});

test("the cost of a review belongs to the reviewed iteration, and the receipts add up", () => {
  const usage: EventBody = { type: "agent_usage", call: 1, ...noUsage(), input_tokens: 100, cost_usd: 0.25 };
  const report = reportFrom(
    runStarted(),
    iterationStarted(1),
    usage,
    agentFinished(),
    iterationFinished({ usage: { ...noUsage(), input_tokens: 100, cost_usd: 0.25 } }),
    { type: "review_started", number: 1, call: 2 },
    { ...usage, call: 2, cost_usd: 0.5 },
    agentFinished({ call: 2, ms: 300 }),
    { type: "review_finished", call: 2, findings: null, sentence: "One finding." },
    runFinished("max_iterations"),
  );
  const whole = { calls: 2, agent_ms: 1300, usage: { input_tokens: 200, cost_usd: 0.75 } };
  expect(report).toMatchObject(whole);
  expect(report.iterations).toMatchObject([{ ...whole, wall_ms: 7000, review: "One finding." }]);
});

const failedTool = (tool_use_id: string): EventBody => ({
  type: "agent_tool_finished",
  call: 1,
  tool_use_id,
  content: "String to replace not found",
  is_error: true,
});
const changedFiles = (...files_changed: string[]): EventBody =>
  iterationFinished({ evidence: { ...evidence, files_changed, files_changed_count: files_changed.length } });

describe("lines written by tools count", () => {
  test.each<[string, EventBody[], Partial<Report>]>([
    ["if the tool succeeded", [edit("/p/a.ts", "x", "y"), failedTool("/p/a.ts"), changedFiles("a.ts")], {}],
    ["if the file really changed", [edit("/p/a.ts", "x", "y"), changedFiles()], { files: [], files_changed: 0 }],
    ["for files of the project", [edit("/elsewhere/a.ts", "x", "y"), changedFiles()], { files: [] }],
    [
      "only outside ralph's own folder, even in an iteration that broke off",
      [
        edit("/p/.ralph/@fix_plan.md", "x", "y"),
        { type: "iteration_interrupted", number: 1, why: "ralph ended before the iteration did" },
      ],
      { files: [] },
    ],
    [
      "only inside the project, even in an iteration that broke off",
      [
        ...["/elsewhere/a.ts", "../beside/a.ts", "D:\\elsewhere\\a.ts"].map((path) => edit(path, "x", "y")),
        { type: "iteration_interrupted", number: 1, why: "ralph ended before the iteration did" },
      ],
      { files: [], files_changed: 0 },
    ],
  ])("%s", (_, bodies, about) => {
    const report = reportFrom(runStarted(), iterationStarted(1), ...bodies);
    expect(report).toMatchObject({ lines_added: 0, lines_removed: 0, ...about });
    expect(report.iterations).toMatchObject([{ lines_added: 0, lines_removed: 0 }]);
  });

  test("all in an iteration that broke off or is under way", () => {
    const end: EventBody = { type: "iteration_interrupted", number: 1, why: "stopped" };
    const report = reportFrom(
      runStarted(),
      iterationStarted(1),
      edit("/p/a.ts", "x", "y"),
      end,
      iterationStarted(2),
      edit("/p/a.ts", "y", "z"),
    );
    expect(report).toMatchObject({ lines_added: 2, lines_removed: 2, files: [{ path: "a.ts", added: 2, removed: 2 }] });
    expect(report.iterations).toMatchObject([{ lines_added: 1 }, { lines_added: 1 }]);
  });

  test("for files beyond the evidence's first ones", () => {
    const named: EventBody = iterationFinished({
      evidence: { ...evidence, files_changed: ["a.ts"], files_changed_count: 900 },
    });
    const edits = [edit("/p/z.ts", "x", "y"), edit("/p/.ralph/@fix_plan.md", "x", "y")];
    expect(reportFrom(runStarted(), iterationStarted(1), ...edits, named)).toMatchObject({ lines_added: 1 });
  });
});

test("an iteration stopped by the user is reported as no failure", () => {
  const bodies: EventBody[] = [
    runStarted(),
    iterationStarted(1),
    { type: "stop_requested", how: "now", by: "user" },
    agentFinished({ outcome: "stopped", ok: false, exit_code: null }),
    { type: "iteration_interrupted", number: 1, why: "stopped" },
  ];
  expect(reportFrom(...bodies).iterations).toMatchObject([{ outcome: "stopped", sentence: "Stopped before its end." }]);
});

test("what an interrupted iteration ticked is in the plan, and is its task", () => {
  const broken: EventBody = { type: "iteration_interrupted", number: 2, why: "stopped", plan: planAt(2) };
  const second = { ...iterationStarted(2), plan: planAt(1) } as EventBody;
  const bodies = [runStarted(), ...ticks(1, 1), second, broken];
  const { plan, iterations } = reportFrom(...bodies);
  expect(plan).toEqual(planAt(2));
  expect(iterations.at(-1)).toMatchObject({ plan: planAt(2), plan_delta: 1, ticked: [] });
  expect(taskReceipts(iterations).map(({ boxes }) => boxes)).toEqual([1, 1]);
  expect(play(...bodies).at(-1)?.state.plan).toEqual(planAt(2));
});

test("an iteration that only met a limit counts as none, as in the list of runs", () => {
  const met: EventBody = { type: "agent_limit", call: 1, kind: "usage_limit", message: "Used up.", resets_at: null };
  const limited = [met, agentFinished({ ok: false, repeat: "limit" })];
  const waited: EventBody = { type: "iteration_interrupted", number: 2, why: "the run ended while it waited" };
  const first = [runStarted(), iterationStarted(1), agentFinished(), iterationFinished()];
  const bodies = [...first, iterationStarted(2), ...limited, waited];
  const report = reportFrom(...bodies);
  expect(report.iterations.map(({ outcome }) => outcome)).toEqual(["answered", "limited"]);
  expect(countedIterations(report)).toBe(1);
  expect(play(...bodies).at(-1)?.state.iterations).toBe(1);
  const wentOn = [...bodies.slice(0, -1), iterationStarted(2, 2), agentFinished({ call: 2 }), iterationFinished()];
  expect(countedIterations(reportFrom(...wentOn))).toBe(2);
});

test("a limited review leaves the receipt of the next iteration alone", () => {
  const review: EventBody = { type: "review_started", number: 1, call: 2 };
  const limited = agentFinished({ call: 2, ok: false, repeat: "limit" });
  const broken: EventBody = { type: "iteration_interrupted", number: 2, why: "ralph ended before the iteration did" };
  const first = [runStarted(), iterationStarted(1), agentFinished(), iterationFinished(), review, limited];
  expect(reportFrom(...first, iterationStarted(2), broken).iterations.at(-1)?.outcome).toBe("interrupted");
});

test("a review's call counts for its iteration, unless it was limited", () => {
  const review: EventBody = { type: "review_started", number: 1, call: 2 };
  const bodies = [runStarted(), iterationStarted(1), agentFinished(), iterationFinished(), review];
  const went = reportFrom(...bodies, agentFinished({ call: 2 }));
  expect([went.calls, went.iterations[0]?.calls]).toEqual([2, 2]);
  const limited = reportFrom(...bodies, agentFinished({ call: 2, repeat: "limit" }));
  expect([limited.calls, limited.iterations[0]?.calls]).toEqual([1, 1]);
});

test("a limited call does not count, and its wait belongs to the interrupted iteration", () => {
  const report = reportFrom(
    runStarted(),
    iterationStarted(1),
    agentFinished({ repeat: "limit" }),
    { type: "wait_started", until: "2026-01-31T10:00:00.000Z", why: "usage_limit", message: "" },
    { type: "wait_ended", why: "usage_limit" },
    iterationStarted(1, 2),
    agentFinished({ call: 2 }),
    iterationFinished(),
  );
  expect(report.calls).toBe(1);
  expect(report.waited_ms).toBe(1000);
  expect(report.iterations).toMatchObject([{ calls: 1, waited_ms: 1000, agent_ms: 2000, outcome: "answered" }]);
});

describe("the end of a run in its report", () => {
  test("equals the recorded one", () => {
    const report = reportFrom(runStarted(), runFinished("plan_complete"));
    expect(report).toMatchObject({ stop_reason: "plan_complete", exit_code: 0, sentence: "Over.", wall_ms: 1000 });
  });

  test("is unknown for a run that broke off; the usage of its open iteration is kept", () => {
    const usage = { ...noUsage(), input_tokens: 70, cost_usd: 0.5, model: "m1" };
    const report = reportFrom(runStarted(), iterationStarted(1), { type: "agent_usage", call: 1, ...usage });
    expect(report).toMatchObject({ stop_reason: null, exit_code: null, models: ["m1"] });
    expect(report.usage.cost_usd).toBe(0.5);
    expect(report.iterations).toMatchObject([{ outcome: "open", wall_ms: null, usage: { input_tokens: 70 } }]);
  });
});

describe("the cost of a task", () => {
  test("is everything spent since the previous tick", () => {
    const { tasks } = reportFrom(
      runStarted(),
      ...ticks(1, 0),
      ...ticks(2, 1, ["Say hello"]),
      ...ticks(3, 2, ["Say bye", "Wave"]),
      ...ticks(4, 0),
    );
    expect(tasks).toMatchObject([
      {
        tasks: ["Say hello"],
        boxes: 1,
        first_iteration: 1,
        last_iteration: 2,
        iterations: 2,
        cost_usd: 0.5,
        tokens: 300,
      },
      { tasks: ["Say bye", "Wave"], boxes: 2, first_iteration: 3, last_iteration: 3, iterations: 1, cost_usd: 0.25 },
      { tasks: [], boxes: 0, first_iteration: 4, iterations: 1 },
    ]);
  });

  test("is not reported without a plan", () => {
    expect(reportFrom(runStarted(), iterationStarted(1), iterationFinished()).tasks).toEqual([]);
  });
});

test("an empty journal gives an empty report", () => {
  expect(buildReport([])).toMatchObject({ run: "", iterations: [], wall_ms: 0 });
});

test("what is recorded after a run's end, such as a reset or an undo, makes it no longer", () => {
  const run = [
    runStarted(),
    iterationStarted(1),
    agentStarted(),
    agentFinished(),
    iterationFinished(),
    runFinished("max_iterations"),
  ];
  const { wall_ms, ended_at } = reportFrom(...run);
  const later = reportFrom(...run, { type: "reset", what: "both", reason: "manual_circuit_reset" });
  expect([later.wall_ms, later.ended_at]).toEqual([wall_ms, ended_at]);
});

test("what others record in a run that broke off, such as a word for the next one, makes it no longer", () => {
  const run = [runStarted(), iterationStarted(1), agentStarted(), agentFinished()];
  const { wall_ms, ended_at } = reportFrom(...run);
  const foundOf = (of_run: string): EventBody => ({
    ...{ type: "run_recovered", of_run, interrupted_iteration: 1, ended_processes: [] },
  });
  const later = reportFrom(...run, foundOf("r1"), { type: "said", text: "Use yargs." });
  expect([later.wall_ms, later.ended_at]).toEqual([wall_ms, ended_at]);
  const next = reportFrom(runStarted(), foundOf("r0"), iterationStarted(1));
  expect(next.wall_ms).toBe(2000);
});

test("the call that solved a rebase's conflicts counts, as in its iteration and for the bounds", () => {
  const conflict = { type: "git_step", step: "rebase", result: "conflict", text: "", number: 1, call: 2 } as const;
  const bodies = [runStarted(), iterationStarted(1), agentFinished(), iterationFinished(), conflict];
  const { calls, iterations } = reportFrom(...bodies);
  expect([calls, iterations[0]?.calls]).toEqual([2, 2]);
  expect(play(...bodies).at(-1)?.state.calls).toBe(2);
});

test("a journal that its agent destroyed begins anew with what was spent, and its report has that too", () => {
  const usage = { ...noUsage(), input_tokens: 100, cost_usd: 0.25 };
  const state = { ...initialState("/p"), calls: 3, usage };
  const { calls, usage: sum } = reportFrom(runStarted(state), iterationStarted(4), {
    type: "agent_usage",
    call: 1,
    ...usage,
  });
  expect([calls, sum.cost_usd, sum.input_tokens]).toEqual([4, 0.5, 200]);
});

test("a gate that an undo runs after the end is none of the run", () => {
  const gate = { type: "gate_finished", command: "t", exit_code: 0, ms: 30, timed_out: false, output: "" } as const;
  const run = [
    runStarted(),
    iterationStarted(1),
    agentFinished(),
    gate,
    iterationFinished(),
    runFinished("max_iterations"),
  ];
  const undone: EventBody = {
    type: "undone",
    to: "1.before",
    kept: "2",
    written: 1,
    deleted: 0,
    set_aside: [],
    left: [],
  };
  expect(reportFrom(...run, undone, { ...gate, exit_code: 1 })).toEqual(reportFrom(...run));
});

test("what a worker had that an earlier swarm left is told by its words", () => {
  const left_at_work = [{ task: "x", text: "do x", worker: "w1", branch: "", since: "" }];
  const spent = { iterations: 2, calls: 3, usage: { ...noUsage(), cost_usd: 0.25 } };
  const release: EventBody = { type: "task_released", task: "x", worker: "w1", outcome: "given_back", why: "", spent };
  const { tasks } = reportFrom(runStarted({ ...initialState("/p"), left_at_work }), release);
  expect(tasks).toMatchObject([{ tasks: ["do x"], boxes: 0, iterations: 2, wall_ms: 0, cost_usd: 0.25 }]);
});

test("what workers of a swarm did is in its report: the calls and the money of all, and a receipt for each task", () => {
  const usage = { ...noUsage(), input_tokens: 100, cost_usd: 0.25, model: "m" };
  const claims = (task: string): EventBody => ({
    ...{ type: "task_claimed", task, text: `do ${task}`, worker: "w1", branch: "", session: null },
  });
  const gives = (task: string, outcome: "handed_in" | "given_back"): EventBody => ({
    ...{ type: "task_released", task, worker: "w1", outcome, why: "", spent: { iterations: 2, calls: 3, usage } },
  });
  const landed: EventBody = {
    ...{ type: "landed", target: "main", from: "a", to: "b" },
    branches: [
      { name: "ralph/x", commit: "c", task: "x", text: "do x" },
      { name: "ralph/y", commit: "d", task: null, text: null },
    ],
  };
  const bodies = [runStarted(), claims("x"), gives("x", "handed_in"), claims("z"), gives("z", "given_back")];
  const again = [claims("x"), gives("x", "handed_in"), landed];
  const report = reportFrom(...bodies, ...again);
  const { state } = play(...bodies, ...again).at(-1) ?? {};
  expect([report.calls, report.usage.cost_usd, countedIterations(report)]).toEqual([9, 0.75, 6]);
  expect([state?.calls, state?.usage.cost_usd, state?.iterations]).toEqual([9, 0.75, 6]);
  expect(report.models).toEqual(["m"]);
  expect(report.tasks).toMatchObject([
    { tasks: ["do x"], boxes: 1, first_iteration: 0, iterations: 4, wall_ms: 2000, tokens: 200, cost_usd: 0.5 },
    { tasks: ["do z"], boxes: 0, iterations: 2, wall_ms: 1000, cost_usd: 0.25 },
    { tasks: ["ralph/y"], boxes: 1, iterations: 0, cost_usd: null },
  ]);
});
