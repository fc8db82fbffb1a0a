import { describe, expect, test } from "bun:test";
import type { RalphEvent } from "../../../src/core/journal/event.ts";
import { noUsage } from "../../../src/core/journal/usage.ts";
import { type CircuitBreaker, closedBreaker } from "../../../src/core/stop/circuit-breaker.ts";
import type { AgentEvent } from "../../../src/driver.ts";
import type { ProcessOptions } from "../../../src/effects/ports.ts";
import { loop } from "../../../src/run/jobs/loop.ts";
import type { Run } from "../../../src/run/run.ts";
import { HOUR, NOON } from "../../core/given.ts";
import {
  bodiesOf,
  type Fake,
  type FakeParts,
  fakeWorld,
  finished,
  type Play,
  resultOf,
  typesOf,
} from "../fake-world.ts";

/** Runs the loop from its first decision to its end. */
async function looped(parts: FakeParts = {}): Promise<Fake & { end: object }> {
  const fake = fakeWorld(parts);
  return { ...fake, end: await fake.run(loop) };
}

const answers: Play = { says: [finished], changes: ["a.ts"] };
/** The same, in a conversation that can be resumed. */
const lasting: Play = { ...answers, says: [{ type: "session_id", session_id: "kept" }, finished] };
const limited: Play = {
  says: [
    {
      type: "rate_limited",
      kind: "usage_limit",
      message: "limit reached",
      resets_at: new Date(NOON + 60_000).toISOString(),
    },
    { type: "error", class: "limit", message: "limit reached" },
  ],
  ends: { outcome: "failed", exitCode: 1 },
};
const one = { MAX_ITERATIONS: 1 };
const ENDED = { reason: "stopped_by_user", exit_code: 0, sentence: "", at: new Date(NOON).toISOString() } as const;

const starts = (journal: readonly RalphEvent[]) =>
  journal.flatMap((event) => (event.type === "iteration_started" ? [event] : []));

const warningsOf = (journal: readonly RalphEvent[]) =>
  journal.flatMap((event) => (event.type === "note" && event.level === "warn" ? [event.text] : []));

test("iterations run up to the bound, each starting with the tree of the last one", async () => {
  const { journal, end } = await looped({ settings: { MAX_ITERATIONS: 2 }, plays: [answers, answers] });
  const iteration = ["iteration_started", "agent_started", "agent_finished", "iteration_finished"] as const;
  expect(typesOf(journal)).toEqual([...iteration, ...iteration, "run_finished"]);
  expect(end).toMatchObject({ stop_reason: "max_iterations", iterations: 2, calls: 2 });
  expect(starts(journal).map(({ snapshot }) => snapshot)).toEqual(["tree-1", "tree-2"]);
});

describe("MAX_TIME", () => {
  const hour = { MAX_TIME: 60, MAX_ITERATIONS: 5 };

  test("holds when the clock is set back while the agent works", async () => {
    let ran = 0;
    const work: Play = {
      ...answers,
      meanwhile: () => {
        ran += 61 * 60_000;
      },
    };
    const { end } = await looped({ settings: hour, plays: [work, work], runningMs: () => ran });
    expect(end).toMatchObject({ stop_reason: "max_time", calls: 1 });
  });

  test.each([
    [
      "lasts longer",
      NOON + 72 * HOUR,
      " It was waiting for the provider's usage limit, which lasts until 2026-03-07 12:00.",
    ],
    ["names no end", null, " It was waiting for the provider's usage limit, which names no end."],
  ])("names at its end a usage limit that %s", async (_, resets, told) => {
    const resets_at = resets === null ? null : new Date(resets).toISOString();
    const weekly: Play = {
      says: [
        { type: "rate_limited", kind: "usage_limit", message: "weekly limit reached", resets_at },
        { type: "error", class: "limit", message: "weekly limit reached" },
      ],
      ends: { outcome: "failed", exitCode: 1 },
    };
    const { end } = await looped({ settings: hour, plays: Array(9).fill(weekly) });
    expect(end).toMatchObject({ stop_reason: "max_time", sentence: `The allowed time of 60 minutes is over.${told}` });
  });

  test("limits each call to the time that is left", async () => {
    const slow: Play = { ...answers, ends: { ms: 50 * 60_000 } };
    const { started } = await looped({ settings: { ...hour, CLAUDE_TIMEOUT_MINUTES: 15 }, plays: [slow, answers] });
    expect(started.map(({ timeoutMs }) => timeoutMs / 60_000).slice(0, 2)).toEqual([15, 10]);
  });

  test("limits a call, too, before which the time ran out", async () => {
    let ran = 0;
    const prompt = () => {
      ran += 61 * 60_000;
      return "Work.";
    };
    const { started } = await looped({ settings: hour, plays: [answers], files: { prompt }, runningMs: () => ran });
    expect(started.map(({ timeoutMs }) => timeoutMs)).toEqual([1]);
  });
});

test("a question whose task a person ticked or took off the plan meanwhile is asked of nobody any more", async () => {
  const dropped = async (plan: string) => {
    const fake = fakeWorld({ plan, settings: one, plays: [answers] });
    await fake.run((run, agent) => {
      for (const task of ["one", "two"])
        run.append({ type: "question_asked", kind: "question", task, text: "Which?", parked: true });
      return loop(run, agent);
    });
    return bodiesOf(fake.journal, "questions_dropped");
  };
  expect(await dropped("- [ ] one\n- [ ] two\n- [ ] three\n")).toEqual([]);
  expect(await dropped("- [x] one\n- [ ] three\n")).toEqual([{ type: "questions_dropped", numbers: [1, 2] }]);
});

describe("boxes that are added with their tick", () => {
  const plan = (nth: number, mark = " ") => `- [${mark}] one${"\n- [x] looked at it".repeat(nth)}`;
  const logs = (nth: number): Play => ({ says: [finished], plan: plan(nth) });

  test("are no progress where nothing else happened: a run that only logs ends", async () => {
    const plays = Array.from({ length: 9 }, (_, n) => logs(n + 1));
    const { end } = await looped({ settings: { MAX_ITERATIONS: 9 }, plan: plan(0), plays });
    expect(end).toMatchObject({ stop_reason: "stagnation_detected", iterations: 3 });
  });

  test("count beside other work, and so does the tick of a box that was open", async () => {
    const plays = [
      { ...logs(1), changes: ["a.ts"] },
      { says: [finished], plan: plan(1, "x") },
    ];
    const { journal } = await looped({ settings: { MAX_ITERATIONS: 2 }, plan: plan(0), plays });
    expect(bodiesOf(journal, "iteration_finished")).toMatchObject([
      { evidence: { progress: true, plan_delta: 1 } },
      { evidence: { progress: true, plan_delta: 1, plan_ticked: ["one"] } },
    ]);
  });
});

describe("being offline", () => {
  const lost: AgentEvent = { type: "error", class: "offline", message: "getaddrinfo ENOTFOUND api.example.com" };
  const offline: Play = { says: [lost], ends: { outcome: "failed", exitCode: 1 } };

  test("uses up none of the allowed iterations: a night without a network is waited out", async () => {
    const { end } = await looped({ settings: one, plays: [...Array(20).fill(offline), answers] });
    expect(end).toMatchObject({ stop_reason: "max_iterations", iterations: 1, calls: 21 });
  });

  test("counts as an iteration where the call spent something or changed a file before", async () => {
    const spent: AgentEvent = { type: "usage", ...noUsage(), input_tokens: 10 };
    const plays = [{ ...offline, says: [spent, lost] }, { ...offline, changes: ["a.ts"] }, answers];
    const { end } = await looped({ settings: { MAX_ITERATIONS: 2 }, plays });
    expect(end).toMatchObject({ stop_reason: "max_iterations", iterations: 2, calls: 2 });
  });
});

describe("a wait", () => {
  test("between iterations is followed by a new snapshot, which excludes the user's changes", async () => {
    let plan = "- [ ] one";
    const { journal } = await looped({
      settings: { MAX_ITERATIONS: 2, MAX_CALLS_PER_HOUR: 1 },
      plays: [answers, answers],
      files: { plan: () => plan },
      whileWaiting: () => {
        plan = "- [x] one\n- [ ] two";
      },
    });
    expect(bodiesOf(journal, "wait_started", "wait_ended")).toMatchObject([
      { why: "call_budget" },
      { type: "wait_ended", why: "call_budget" },
    ]);
    expect(starts(journal)).toMatchObject([
      { snapshot: "tree-1", plan: { total: 1, checked: 0 } },
      { snapshot: "tree-2", plan: { total: 2, checked: 1 } },
    ]);
    expect(bodiesOf(journal, "iteration_finished")).toMatchObject([
      { evidence: { plan_delta: 0 } },
      { evidence: { plan_delta: 0 } },
    ]);
  });

  test("within an iteration keeps the iteration's tree and number", async () => {
    const { journal, end } = await looped({ settings: one, plays: [limited, answers] });
    expect(starts(journal)).toMatchObject([
      { number: 1, call: 1, snapshot: "tree-1" },
      { number: 1, call: 2, snapshot: "tree-1" },
    ]);
    expect(end).toMatchObject({ iterations: 1, calls: 1 });
  });

  test("that the user refused interrupts the iteration because of the limit", async () => {
    const { journal, end } = await looped({ settings: { ON_USAGE_LIMIT: "stop" }, plays: [limited] });
    expect(bodiesOf(journal, "wait_started", "iteration_interrupted")).toMatchObject([{ why: "the limit ended it" }]);
    expect(end).toMatchObject({ stop_reason: "usage_limit" });
  });

  test("ends with a stop, and so does its iteration", async () => {
    const { journal, end } = await looped({
      settings: one,
      plays: [limited],
      whileWaiting: ({ stops }) => stops.request("SIGINT"),
    });
    expect(typesOf(journal).slice(-5)).toEqual([
      "wait_started",
      "stop_requested",
      "wait_ended",
      "iteration_interrupted",
      "run_finished",
    ]);
    expect(end).toMatchObject({ stop_reason: "stopped_by_user", iterations: 0 });
  });

  test("in which a stop was withdrawn goes on", async () => {
    let waits = 0;
    const { journal, end } = await looped({
      settings: one,
      plays: [limited, answers],
      whileWaiting: ({ stops, append }) => {
        waits += 1;
        if (waits > 1) return;
        stops.request("user");
        if (stops.withdraw()) append({ type: "stop_withdrawn" });
      },
    });
    expect(end).toMatchObject({ stop_reason: "max_iterations" });
    expect([waits, starts(journal).length]).toEqual([2, 2]);
  });
});

test.each([
  ["once, while the agent works", 1, "stopped_by_user", "iteration_finished"],
  ["twice", 2, "interrupted", "iteration_interrupted"],
] as const)("Ctrl+C pressed %s ends the run as %p", async (_name, times, stop_reason, ending) => {
  let press = () => {};
  const fake = fakeWorld({ plays: [{ ...answers, meanwhile: () => press() }] });
  const end = await fake.run((run, agent) => {
    press = () => {
      for (let n = 0; n < times; n += 1) run.stops.request("SIGINT");
    };
    return loop(run, agent);
  });
  expect(end).toMatchObject({ stop_reason });
  expect(typesOf(fake.journal)).toContain(ending);
});

test("a stop that cannot be recorded ends the run with its error, without a further call", async () => {
  const full = new Error("The disk is full");
  let press = () => {};
  const fake = fakeWorld({
    plays: [{ ...answers, meanwhile: () => press() }],
    onWrite: (events) => {
      if (events.some(({ type }) => type === "stop_requested")) throw full;
    },
  });
  const end = fake.run((run, agent) => {
    press = () => run.stops.request("SIGINT");
    return loop(run, agent);
  });
  await expect(end).rejects.toBe(full);
  expect(typesOf(fake.journal)).toEqual([
    "iteration_started",
    "agent_started",
    "agent_finished",
    "iteration_interrupted",
    "run_finished",
  ]);
});

test("a rejected session is dropped, and the call is repeated without it", async () => {
  const rejected: AgentEvent = { type: "error", class: "session", message: "No conversation found" };
  const at = new Date(NOON).toISOString();
  const { journal, end } = await looped({
    settings: one,
    earlier: { session: { session_id: "old", driver: "demo", created_at: at, last_used: at }, finished: ENDED },
    plays: [{ says: [rejected], ends: { outcome: "failed", exitCode: 1 } }, answers],
  });
  expect(starts(journal)).toMatchObject([
    { number: 1, call: 1, resume: "old" },
    { number: 1, call: 2, resume: null },
  ]);
  expect(bodiesOf(journal, "reset")).toMatchObject([{ what: "session", reason: "session_rejected" }]);
  expect(end).toMatchObject({ stop_reason: "max_iterations", iterations: 1 });
});

describe("files that a run needs", () => {
  test("are restored when they are gone, and the run ends", async () => {
    const lost = [[], [".ralph/PROMPT.md", ".ralph/fix_plan.md"]];
    const { journal, end } = await looped({ plays: [answers], guard: { restoreLost: () => lost.shift() ?? [] } });
    expect(end).toMatchObject({
      stop_reason: "files_deleted",
      sentence: "Put back: .ralph/PROMPT.md, .ralph/fix_plan.md.",
    });
    expect(starts(journal)).toHaveLength(1);
  });

  test("are checked after the gates of the last iteration too", async () => {
    let lost: string[] = [];
    const playDeletion = (options: ProcessOptions) => {
      options.onStart({ pid: 1, group: 1, startTime: null });
      lost = [".ralph/PROMPT.md"];
      return resultOf();
    };
    const { journal, end } = await looped({
      settings: { TEST_COMMAND: "npm test", DONE_POLICY: "evidence" },
      plan: "- [x] one",
      world: { process: { run: async (_command, options) => playDeletion(options) } },
      guard: { restoreLost: () => lost },
    });
    expect(bodiesOf(journal, "gate_finished")).toHaveLength(1);
    expect(end).toMatchObject({ stop_reason: "files_deleted" });
  });

  test("are checked after a wait too, though an iteration came right before it", async () => {
    let lost: string[] = [];
    const { journal, end } = await looped({
      settings: { MAX_CALLS_PER_HOUR: 1 },
      plays: [answers, answers],
      guard: { restoreLost: () => lost },
      onWrite(events) {
        if (events.some(({ type }) => type === "wait_started")) lost = [".ralph/PROMPT.md"];
      },
    });
    expect(starts(journal)).toHaveLength(1);
    expect(bodiesOf(journal, "wait_ended")).toHaveLength(1);
    expect(end).toMatchObject({ stop_reason: "files_deleted" });
  });

  test("are not restored if the whole folder is gone, since it may have been moved", async () => {
    let restored = 0;
    const restoreLost = () => {
      restored += 1;
      return ["x"];
    };
    const { end } = await looped({ files: { isGone: () => true }, guard: { restoreLost } });
    expect(end).toMatchObject({ stop_reason: "files_deleted", sentence: expect.stringContaining("no longer where") });
    expect(restored).toBe(0);
  });
});

test("a share of test-only iterations above the threshold is told once, until it has been below it again", async () => {
  const text = ["---RALPH_STATUS---", "STATUS: IN_PROGRESS", "WORK_TYPE: TESTING", "---END_RALPH_STATUS---"].join("\n");
  const says: AgentEvent = { type: "finished", ok: true, text, duration_ms: null, cost_usd: null };
  const tests: Play = { says: [says], changes: ["a.test.ts"] };
  const settings = { MAX_ITERATIONS: 6, TEST_PERCENTAGE_THRESHOLD: 10 };
  const { journal } = await looped({ settings, plays: [tests, tests, answers, tests, answers, tests] });
  const sentence =
    "2 of the last 2 iterations only ran tests: more than 10 % of ten (TEST_PERCENTAGE_THRESHOLD). The next prompt says so.";
  expect(bodiesOf(journal, "note")).toEqual([{ type: "note", level: "warn", text: sentence }]);
  expect(journal.findIndex(({ type }) => type === "note")).toBeLessThan(
    journal.findIndex((event) => event.type === "iteration_started" && event.number === 3),
  );
});

test("a warning of the workspace is reported once, when it occurs", async () => {
  const warnings: string[] = [];
  const { workspace } = fakeWorld().world;
  const { journal } = await looped({
    settings: { MAX_ITERATIONS: 3 },
    plays: [answers, { ...answers, meanwhile: () => void warnings.push("a folder cannot be read") }, answers],
    world: { workspace: { ...workspace, warnings } },
  });
  expect(bodiesOf(journal, "note")).toEqual([{ type: "note", level: "warn", text: "a folder cannot be read" }]);
});

describe("a warning", () => {
  test("of the workspace is reported after the first iteration", async () => {
    const { workspace } = fakeWorld().world;
    const world = { workspace: { ...workspace, warnings: ["git is too old"] } };
    const { journal } = await looped({ settings: one, plays: [answers], world });
    expect(bodiesOf(journal, "note")).toEqual([{ type: "note", level: "warn", text: "git is too old" }]);
  });

  test("about an unenforceable bound is reported once, after the first answer", async () => {
    const { journal } = await looped({
      settings: { MAX_ITERATIONS: 2, MAX_COST_USD: 5 },
      plays: [answers, answers],
    });
    expect(bodiesOf(journal, "note")).toMatchObject([
      { level: "warn", text: expect.stringContaining("MAX_COST_USD cannot end this run") },
    ]);
  });

  test("about an unenforceable bound waits for an answer", async () => {
    const failed: Play = { says: [{ type: "error", class: "request", message: "no" }], ends: { exitCode: 1 } };
    const { journal } = await looped({
      settings: { MAX_ITERATIONS: 2, MAX_COST_USD: 5 },
      plays: [failed, answers],
    });
    expect(typesOf(journal).indexOf("note")).toBeGreaterThan(typesOf(journal).lastIndexOf("agent_finished"));
    expect(bodiesOf(journal, "note")).toHaveLength(1);
  });
});

describe("the last sentence of a run", () => {
  const refused: Play = {
    says: [{ type: "error", class: "auth", message: "not logged in. " }],
    ends: { outcome: "failed", exitCode: 1 },
  };

  test("names the login command if the login is missing", async () => {
    const { end } = await looped({ plays: [refused], driver: { loginCommand: "demo login" } });
    expect(end).toMatchObject({
      stop_reason: "authentication",
      sentence: expect.stringMatching(/not accepted: not logged in\. Log in with: demo login$/),
    });
  });

  test("names no login command if the driver has none", async () => {
    const { end } = await looped({ plays: [refused] });
    expect(end).toMatchObject({ stop_reason: "authentication", sentence: expect.not.stringContaining("Log in with") });
  });

  test("names no login command after another end", async () => {
    const { end } = await looped({ settings: one, plays: [answers], driver: { loginCommand: "demo login" } });
    expect(end).toMatchObject({ sentence: "The one allowed iteration is used up." });
  });

  test("says what was missing after disputed claims of done", async () => {
    const text = "---RALPH_STATUS---\nSTATUS: COMPLETE\nEXIT_SIGNAL: true\n---END_RALPH_STATUS---";
    const claims: Play = {
      says: [{ type: "finished", ok: true, text, duration_ms: null, cost_usd: null }],
    };
    const { end } = await looped({
      settings: { DONE_POLICY: "evidence" },
      plays: [claims, claims, claims],
      plan: "- [ ] one",
    });
    expect(end).toMatchObject({
      stop_reason: "completion_disputed",
      sentence: expect.stringMatching(/says no\. What is missing: 1 box of the plan is open: "one"\.$/),
    });
  });
});

describe("the agent's conversation at the end of a run", () => {
  const named: Play = { says: [{ type: "session_id", session_id: "s" }, finished], changes: ["a.ts"] };
  const silent: Play = { says: [{ type: "session_id", session_id: "s" }, finished] };
  const denied: Play = {
    says: [{ type: "denied", tool: "Bash", command: "rm x", tool_use_id: null }, finished],
    changes: ["a.ts"],
  };
  const resetsOf = ({ journal }: Fake) => bodiesOf(journal, "reset").map((body) => Object.values(body).slice(1));

  test.each<[string, FakeParts, unknown[][]]>([
    [
      "ends with a completed project",
      { plays: [{ ...named, plan: "- [x] one" }], plan: "- [ ] one" },
      [["session", "project_complete"]],
    ],
    [
      "ends with an open circuit breaker",
      { plays: [silent, silent, silent], settings: { CB_NO_PROGRESS_THRESHOLD: 3 } },
      [["session", "circuit_breaker_open"]],
    ],
    [
      "ends with a denied permission",
      { plays: [denied], settings: { PERMISSION_DENIAL_MODE: "halt" } },
      [["session", "permission_denied"]],
    ],
    ["goes on after a bound", { plays: [named], settings: one }, []],
  ])("%s", async (_name, parts, expected) => {
    expect(resetsOf(await looped(parts))).toEqual(expected);
  });

  test.each<[string, (run: Run) => void, unknown[][]]>([
    ["ends with Ctrl+C", ({ stops }) => stops.request("SIGINT"), [["session", "manual_interrupt"]]],
    [
      "ends with Ctrl+C pressed twice",
      ({ stops }) => {
        stops.request("SIGINT");
        stops.request("SIGINT");
      },
      [["session", "manual_interrupt"]],
    ],
    ["goes on after SIGTERM", ({ stops }) => stops.request("SIGTERM"), []],
    ["goes on after a stop from another terminal", ({ stops }) => stops.request("user"), []],
  ])("%s", async (_name, stop, expected) => {
    let press = () => {};
    const fake = fakeWorld({ plays: [{ ...named, meanwhile: () => press() }] });
    await fake.run((run, agent) => {
      press = () => stop(run);
      return loop(run, agent);
    });
    expect(resetsOf(fake)).toEqual(expected);
  });

  const open: CircuitBreaker = {
    ...closedBreaker(),
    state: "open",
    since: NOON,
    reason: "stagnation_detected",
    sentence: "Nothing changed.",
  };

  test("is not reset by a refused start without a session, which would only fill the history", async () => {
    const fake = await looped({ earlier: { finished: ENDED, breaker: open } });
    expect(fake.end).toMatchObject({ stop_reason: "stagnation_detected", iterations: 0 });
    expect(resetsOf(fake)).toEqual([]);
  });

  test("ends with a refused start", async () => {
    const at = new Date(NOON).toISOString();
    const session = { session_id: "s", driver: "demo", created_at: at, last_used: at };
    const fake = await looped({ earlier: { finished: ENDED, breaker: open, session } });
    expect(resetsOf(fake)).toEqual([["session", "circuit_breaker_open"]]);
  });

  test("ends together with an open circuit breaker if the work is done", async () => {
    const fake = await looped({ plan: "- [x] one", earlier: { finished: ENDED, breaker: open } });
    expect(fake.end).toMatchObject({ stop_reason: "plan_complete", exit_code: 0 });
    expect(resetsOf(fake)).toEqual([["both", "project_complete"]]);
  });
});

describe("gates before the first call", () => {
  const gated = { TEST_COMMAND: "npm test", DONE_POLICY: "evidence" } as const;
  const gatesOf = ({ journal }: Fake) => bodiesOf(journal, "gate_finished").length;

  test("check a plan that is complete at the start, and end the run if they pass", async () => {
    const fake = await looped({ settings: gated, plan: "- [x] one" });
    expect([fake.end, gatesOf(fake)]).toMatchObject([{ stop_reason: "plan_complete", calls: 0 }, 1]);
  });

  test("that fail start the work", async () => {
    const fake = await looped({
      settings: { ...gated, MAX_ITERATIONS: 1 },
      plan: "- [x] one",
      // A red gate that decides about "done" runs twice.
      gates: [{ exit: 1 }, { exit: 1 }],
      plays: [{ ...answers, gates: [{ exit: 1 }, { exit: 1 }] }],
    });
    expect(fake.end).toMatchObject({ stop_reason: "max_iterations", iterations: 1 });
  });

  test("do not run while the plan has open boxes", async () => {
    const fake = await looped({ settings: { ...gated, MAX_ITERATIONS: 1 }, plan: "- [ ] one", plays: [answers] });
    expect(typesOf(fake.journal).slice(0, 2)).toEqual(["gate_frozen", "iteration_started"]);
  });
});

test("an iteration interrupted during a wait is recorded as waiting", async () => {
  const { journal } = await looped({ plays: [limited], whileWaiting: ({ stops }) => stops.request("SIGTERM") });
  expect(bodiesOf(journal, "iteration_interrupted")).toMatchObject([{ why: "the run ended while it waited" }]);
});

describe("what calls cost", () => {
  const tokens = { ...noUsage(), input_tokens: 1_000_000, model: "claude-sonnet-4-6" };
  const spending: Play = { ...answers, says: [{ type: "usage", ...tokens }, finished] };

  test("is estimated where the agent does not tell, and ends a run only on request", async () => {
    const settings = { MAX_COST_USD: 5, MAX_ITERATIONS: 3 };
    const plays = [spending, spending, spending];
    const told = await looped({ plays, settings });
    expect(told.end).toMatchObject({ stop_reason: "max_iterations", cost_usd: null, usage: { estimated_usd: 9 } });
    const counted = await looped({ plays, settings: { ...settings, ESTIMATE_COST: true } });
    expect(counted.end).toMatchObject({ stop_reason: "max_cost", iterations: 2 });
    expect(counted.end).toMatchObject({ sentence: "The cost reached $6.00 of $5, $6.00 of it estimated." });
  });

  test("counts for the day, over all runs of the user", async () => {
    const plays = [1, 2, 3, 4].map(
      (): Play => ({ ...answers, says: [{ type: "usage", ...tokens, cost_usd: 2 }, finished] }),
    );
    let others = 1;
    const ledger = {
      add: (_: number, usd: number) => {
        others += usd;
      },
      spentOn: () => others,
    };
    const { end } = await looped({ plays, settings: { MAX_COST_PER_DAY: 5 }, world: { ledger } });
    expect(end).toMatchObject({ stop_reason: "max_cost_per_day", iterations: 2 });
  });

  test("is asked for by the day that it was booked on", async () => {
    const hours = 3_600_000;
    const asked = new Set<string>();
    const spentOn = (day: string) => {
      asked.add(day);
      return 0;
    };
    const world = { ledger: { add: () => {}, spentOn }, offsetAt: () => 40 * hours };
    const { journal } = await looped({ plays: [spending], settings: { ...one, MAX_COST_PER_DAY: 5 }, world });
    const began = Date.parse(journal[0]?.at ?? "");
    expect([...asked]).toEqual([new Date(began + 40 * hours).toISOString().slice(0, 10)]);
  });

  test("that cannot be added to the day is told, and ends nothing", async () => {
    const ledger = {
      add: () => {
        throw new Error("no room");
      },
      spentOn: () => 0,
    };
    const paid: Play = { ...answers, says: [{ type: "usage", ...tokens, cost_usd: 2 }, finished] };
    const { journal } = await looped({ plays: [paid], settings: one, world: { ledger } });
    expect(bodiesOf(journal, "note")).toContainEqual({
      type: "note",
      level: "warn",
      text: "MAX_COST_PER_DAY will not count this call: no room",
    });
  });

  test("counts for one task until its box is ticked", async () => {
    const paid = (plan?: string): Play => ({
      ...answers,
      ...(plan === undefined ? {} : { plan }),
      says: [{ type: "usage", ...tokens, cost_usd: 2 }, finished],
    });
    const plan = "- [ ] one\n- [ ] two";
    const plays = [paid(), paid("- [x] one\n- [ ] two"), paid(), paid(), paid()];
    const { end } = await looped({ plan, plays, settings: { MAX_COST_PER_TASK: 5 } });
    expect(end).toMatchObject({ stop_reason: "max_cost_per_task", iterations: 5 });
  });
});

describe("an agent that loses each conversation", () => {
  const lost: Play = {
    says: [{ type: "error", class: "session", message: "No conversation found" }],
    ends: { outcome: "failed", exitCode: 1 },
  };
  const claims: Play = {
    says: [
      { type: "session_id", session_id: "next" },
      { type: "text", text: "---RALPH_STATUS---\nSTATUS: COMPLETE\nEXIT_SIGNAL: true\n---END_RALPH_STATUS---" },
      { type: "finished", ok: true, text: null, duration_ms: null, cost_usd: null },
    ],
  };
  const losing = [claims, lost, claims, lost, claims, lost, claims];

  test("is done once it has claimed so twice", async () => {
    const { journal, end } = await looped({ settings: { MAX_ITERATIONS: 9 }, plays: losing });
    expect(bodiesOf(journal, "reset")).toMatchObject([{ reason: "session_rejected" }, { reason: "project_complete" }]);
    expect(end).toMatchObject({ stop_reason: "project_complete", iterations: 2 });
  });

  test("is told to stop once the evidence has said no three times", async () => {
    const settings = { MAX_ITERATIONS: 9, DONE_POLICY: "evidence" } as const;
    // The third conversation is new: two claims changed nothing.
    const plays = [claims, lost, claims, claims];
    const { journal, end } = await looped({ settings, plays, plan: "- [ ] a task" });
    expect(bodiesOf(journal, "reset")).toMatchObject([{ reason: "session_rejected" }, { reason: "session_idle" }]);
    expect(end).toMatchObject({ stop_reason: "completion_disputed", iterations: 3 });
  });
});

describe("calls that fail at once in the same way", () => {
  const crash: Play = { says: ["Segmentation fault"], ends: { outcome: "failed", exitCode: 139 } };

  test("are told once after the third, and end the run after the sixth", async () => {
    const { journal, end } = await looped({ settings: { MAX_ITERATIONS: 20 }, plays: Array(20).fill(crash) });
    expect(end).toMatchObject({ stop_reason: "infrastructure_failures", iterations: 6 });
    expect(warningsOf(journal)).toEqual([
      expect.stringContaining("3 calls in a row failed within a minute in the same way: Segmentation fault."),
    ]);
  });

  test("get a new conversation after the third, and the run goes on if that was it", async () => {
    const refuses: Play = { says: ["Error: chat 7 is gone"], ends: { outcome: "failed", exitCode: 1 } };
    const plays = [lasting, refuses, refuses, refuses, lasting, lasting];
    const { journal, end } = await looped({ settings: { MAX_ITERATIONS: 6 }, plays });
    expect(starts(journal).map(({ resume }) => resume)).toEqual([null, "kept", "kept", "kept", null, "kept"]);
    expect(bodiesOf(journal, "reset")).toMatchObject([{ what: "session", reason: "api_error" }]);
    expect(warningsOf(journal)).toEqual([
      "3 calls in a row failed within a minute in the same way: Error: chat 7 is gone. The next one begins a new conversation, in case it is this one. If that fails too: look at the agent's installation, its settings, and the proxy between it and its provider. The pauses grow now, and failure 6 ends the run.",
    ]);
    expect(end).toMatchObject({ stop_reason: "max_iterations", iterations: 6 });
  });

  test.each(["fetch failed: ECONNREFUSED", "API Error: 529 overloaded"])(
    "but not where the network or the provider is down: %s",
    async (words) => {
      const down: Play = { says: [words], ends: { outcome: "failed", exitCode: 1 } };
      const { journal } = await looped({
        // Those that are waited out use up none.
        settings: { MAX_ITERATIONS: 2 },
        plays: [lasting, down, down, down, lasting],
      });
      expect(starts(journal).map(({ resume }) => resume)).toEqual([null, "kept", "kept", "kept", "kept"]);
      expect(bodiesOf(journal, "reset")).toEqual([]);
    },
  );

  test("but changed files are ten failures like any others", async () => {
    const works: Play = { ...crash, changes: ["a.ts"] };
    const { journal, end } = await looped({ settings: { MAX_ITERATIONS: 20 }, plays: Array(20).fill(works) });
    expect(end).toMatchObject({ stop_reason: "infrastructure_failures", iterations: 10 });
    expect(warningsOf(journal)).toEqual([]);
  });
});

describe("an agent that cannot be started", () => {
  const missing = "Cannot start claude: it was not found.";
  const gone: Play = { ends: { outcome: "spawn_failed", exitCode: null, spawnError: missing } };

  test("ends a run at once that has had no call of it", async () => {
    const { end } = await looped({ settings: { MAX_ITERATIONS: 20 }, plays: Array(20).fill(gone) });
    expect(end).toMatchObject({ stop_reason: "agent_unusable", sentence: missing, iterations: 1 });
  });

  test("is waited for once it has worked: its program may be being replaced by a newer one", async () => {
    const plays = [answers, gone, gone, gone, answers];
    const { journal, end } = await looped({ settings: { MAX_ITERATIONS: 5 }, plays });
    expect(end).toMatchObject({ stop_reason: "max_iterations", iterations: 5 });
    expect(bodiesOf(journal, "wait_started")).toHaveLength(3);
    expect(bodiesOf(journal, "wait_started")).toMatchObject(Array(3).fill({ why: "failure", message: missing }));
  });

  test("has its conversation still once it is back", async () => {
    const plays = [lasting, gone, gone, gone, lasting];
    const { journal } = await looped({ settings: { MAX_ITERATIONS: 5 }, plays });
    expect(starts(journal).map(({ resume }) => resume)).toEqual([null, "kept", "kept", "kept", "kept"]);
  });

  test("ends the run once ten attempts in a row have failed", async () => {
    const plays = [answers, ...Array(20).fill(gone)];
    const { end } = await looped({ settings: { MAX_ITERATIONS: 20 }, plays });
    expect(end).toMatchObject({ stop_reason: "agent_unusable", sentence: missing, iterations: 11 });
  });
});

describe("calls that a proxy or provider breaks off", () => {
  const cut: Play = {
    says: [{ type: "error", class: "infrastructure", message: "stream disconnected before completion" }],
    ends: { outcome: "failed", exitCode: 1 },
  };
  const boxes = (ticked: number) => "- [x] a\n".repeat(ticked) + "- [ ] a\n".repeat(20 - ticked);
  test.each([
    ["a commit", (nth: number): Play => ({ ...cut, commits: [`c${nth}`], changes: ["a.ts"] })],
    ["a ticked box", (nth: number): Play => ({ ...cut, plan: boxes(nth + 1) })],
  ])("end no run while each leaves %s behind", async (_, play) => {
    const plays = Array.from({ length: 14 }, (_nothing, nth) => play(nth));
    const { journal, end } = await looped({ settings: { MAX_ITERATIONS: 14 }, plan: boxes(0), plays });
    expect(end).toMatchObject({ stop_reason: "max_iterations", iterations: 14 });
    const pauses = bodiesOf(journal, "wait_started").map((body) => (body as { why: string }).why);
    expect(new Set(pauses)).toEqual(new Set(["failure"]));
  });

  test("end the run once every box is ticked, whatever they still commit", async () => {
    const plays = Array.from({ length: 20 }, (_, nth): Play => ({ ...cut, commits: [`c${nth}`], changes: ["a.ts"] }));
    const { end } = await looped({
      settings: { MAX_ITERATIONS: 20 },
      plan: "- [ ] a\n",
      plays: plays.with(0, { ...cut, plan: "- [x] a\n" }),
    });
    expect(end).toMatchObject({ stop_reason: "infrastructure_failures", iterations: 10 });
  });

  test("end the run once ten in a row leave nothing behind", async () => {
    const plays = [...Array(3).fill({ ...cut, commits: ["c"], changes: ["a.ts"] }), ...Array(12).fill(cut)];
    const { end } = await looped({ settings: { MAX_ITERATIONS: 20 }, plays });
    expect(end).toMatchObject({ stop_reason: "infrastructure_failures", iterations: 13 });
  });
});

describe("a network or provider that is down", () => {
  // As the CLIs say it: no word of these tells a dead line from a provider's hour of trouble.
  const WORDS = [
    "API Error: Connection error.",
    "API Error: Unable to connect to API (ConnectionRefused)",
    "stream disconnected before completion: error sending request for url (https://chatgpt.com/backend-api/codex/responses)",
    "Unable to connect. Is the computer able to access the url?",
    'API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
  ];
  const down = (message: string, ...more: AgentEvent[]): Play => ({
    says: [...more, { type: "error", class: "infrastructure", message }],
    ends: { outcome: "failed", exitCode: 1 },
  });
  const night = (play: Play) => [answers, ...Array(60).fill(play), answers];

  test.each(WORDS)("is waited out once the agent has worked, and uses up no iteration: %s", async (message) => {
    const { journal, end } = await looped({ settings: { MAX_ITERATIONS: 2 }, plays: night(down(message)) });
    expect(end).toMatchObject({ stop_reason: "max_iterations", iterations: 2, calls: 62 });
    expect(warningsOf(journal)).toEqual([expect.stringContaining("and the run goes on once it is back.")]);
  });

  test("is asked in a new conversation after each ten failures: it may fail at this one alone", async () => {
    const begins: Play = { ...answers, says: [{ type: "session_id", session_id: "s" }, finished] };
    const plays = [begins, ...Array(25).fill(down(WORDS[4] ?? "")), answers];
    const { journal, end } = await looped({ settings: { MAX_ITERATIONS: 2 }, plays });
    expect(end).toMatchObject({ stop_reason: "max_iterations", iterations: 2, calls: 27 });
    expect(bodiesOf(journal, "reset")).toEqual([{ type: "reset", what: "session", reason: "api_error" }]);
  });

  test("keeps its conversation while no network reaches it", async () => {
    const begins: Play = { ...answers, says: [{ type: "session_id", session_id: "s" }, finished] };
    const offline: Play = {
      says: [{ type: "error", class: "offline", message: "getaddrinfo ENOTFOUND api.example" }],
      ends: { outcome: "failed", exitCode: 1 },
    };
    const { journal } = await looped({
      settings: { MAX_ITERATIONS: 2 },
      plays: [begins, ...Array(25).fill(offline), answers],
    });
    expect(bodiesOf(journal, "reset")).toEqual([]);
  });

  test("ends the run after ten calls that cost something", async () => {
    const none = { cache_read_tokens: null, cache_creation_tokens: null, cost_usd: null, duration_ms: null, turns: 1 };
    const tokens: AgentEvent = { type: "usage", input_tokens: 9, output_tokens: 9, model: null, ...none };
    const plays = night(down(WORDS[0] ?? "", tokens));
    const { end } = await looped({ settings: { MAX_ITERATIONS: 30 }, plays });
    expect(end).toMatchObject({ stop_reason: "infrastructure_failures", iterations: 11 });
  });

  test("ends the run after ten calls in which the agent worked, whose tokens are told at a good end only", async () => {
    const reads: AgentEvent = { type: "tool_use", tool_id: "t", tool: "Read", input: { file_path: "a.ts" } };
    const { end } = await looped({ settings: { MAX_ITERATIONS: 30 }, plays: night(down(WORDS[0] ?? "", reads)) });
    expect(end).toMatchObject({ stop_reason: "infrastructure_failures", iterations: 11 });
  });

  test("ends the run after failures whose words nobody knows", async () => {
    const { end } = await looped({ settings: { MAX_ITERATIONS: 30 }, plays: night(down("Segmentation fault")) });
    expect(end).toMatchObject({ stop_reason: "infrastructure_failures", iterations: 7 });
  });

  test("ends a run in which no call was answered", async () => {
    const plays = Array(30).fill(down(WORDS[0] ?? ""));
    const { end } = await looped({ settings: { MAX_ITERATIONS: 30 }, plays });
    expect(end).toMatchObject({ stop_reason: "infrastructure_failures", iterations: 10 });
  });
});

test("a conversation that was begun anew is no failure, however often", async () => {
  const tooLong: Play = {
    says: [{ type: "error", class: "context", message: "Prompt is too long" }],
    ends: { outcome: "failed", exitCode: 1 },
  };
  const begins: Play = { ...answers, says: [{ type: "session_id", session_id: "s" }, finished] };
  const plays = Array.from({ length: 12 }, () => [begins, tooLong]).flat();
  const { journal, end } = await looped({ settings: { MAX_ITERATIONS: 12 }, plays });
  expect(end).toMatchObject({ stop_reason: "max_iterations", iterations: 12 });
  expect(new Set(bodiesOf(journal, "reset").map((body) => JSON.stringify(body)))).toEqual(
    new Set(['{"type":"reset","what":"session","reason":"api_error"}']),
  );
});
