import { describe, expect, test } from "bun:test";
import { reduce } from "../../src/core/journal/reduce.ts";
import type { State } from "../../src/core/journal/state.ts";
import { parsePlan, planReport } from "../../src/core/plan/fix-plan.ts";
import { statusReport } from "../../src/core/report/status-report.ts";
import { closedBreaker } from "../../src/core/stop/circuit-breaker.ts";
import { STOP_REASONS, type StopReason } from "../../src/core/stop/stop-reasons.ts";
import { statusLines } from "../../src/view/status-lines.ts";
import { style } from "../../src/view/text/style.ts";
import { columns } from "../../src/view/text/text.ts";
import { recordOf, stateOf } from "../core/given.ts";
import { runningRun, SECOND, START } from "./sample-run.ts";

const running = runningRun.reduce(reduce, stateOf());
const NOW = START + 30 * SECOND;

function shown(state: State, alive: boolean, width = 80, now = NOW): string[] {
  return statusLines(statusReport(state, null, alive, now), { style: style(false), width, now });
}

function ended(reason: StopReason): State {
  const { exit, text } = STOP_REASONS[reason];
  return { ...running, finished: { reason, exit_code: exit, sentence: text, at: running.updated_at } };
}

test("the status of a live run has at most ten lines, with the nearest limit", () => {
  expect(`\n${shown({ ...running, pid: 7 }, true).join("\n")}\n`).toMatchInlineSnapshot(`
    "
    running (executing)  /project
    run       0007-20260304-120000 (pid 7) · Claude Code · iteration 3
    calls     3 of 100 this hour, resets in 59 min 30 s
    spent     $0.84 · 24.6k tokens: 24.0k in, 600 out
    breaker   CLOSED
    stop      iterations 3/8 · same error 1/5
    updated   8.0 s ago
    "
  `);
  for (const width of [40, 80, 200]) expect(shown(running, true, width).length).toBeLessThanOrEqual(10);
});

test("the status has at most ten lines in the midst of a long night too, and after it", () => {
  const parsed = parsePlan("- [x] a\n- [ ] b\n", []);
  const plan = planReport("plan.md", parsed);
  const paces = Array.from({ length: 4 }, () => ({ usd: 1, ms: SECOND, boxes: 1 }));
  const breaker = {
    ...closedBreaker(),
    state: "open",
    since: START,
    reason: "repeated_error",
    sentence: "Same.",
  } as const;
  const night = { ...running, plan: parsed.counts, paces, breaker, last_action: "permission_denied" };
  const rows = (state: State, alive: boolean) =>
    statusLines(statusReport(state, plan, alive, NOW), { style: style(false), width: 200, now: NOW });
  const live = rows({ ...night, pid: 7 }, true);
  expect(live.map((line) => line.slice(0, 9).trimEnd())).toContain("forecast");
  expect([live.length, rows({ ...night, finished: ended("repeated_error").finished }, false).length]).toEqual([10, 9]);
});

test("the status shows a limit's end for a run that it stopped, and a wait for a live run", () => {
  const until = new Date(NOW + SECOND).toISOString();
  const limit = { kind: "usage_limit", message: "", count: 1, resets_at: until, until: NOW + SECOND } as const;
  const wait = { why: "usage_limit", until, message: "" } as const;
  const told = (state: State, alive: boolean) => {
    const report = statusReport({ ...state, limit, wait }, null, alive, NOW);
    return [report.wait, report.limit_resets_at];
  };
  expect(told(running, true)).toEqual([{ why: "usage_limit", until }, null]);
  expect(told(running, false)).toEqual([null, null]);
  expect(told(ended("usage_limit"), false)).toEqual([null, until]);
  expect(told(ended("stopped_by_user"), false)).toEqual([null, null]);
});

test("a denial stays in the status until an answer comes without one, and after the run", () => {
  const denied = { has_permission_denials: true, permission_denial_count: 2, denied_commands: ["Bash(rm x)", "Write"] };
  const state = { ...running, last: recordOf(denied, { number: 2 }) };
  const breakerOf = (lines: string[]) => lines.find((line) => line.startsWith("breaker"));
  for (const lines of [shown(state, true), shown({ ...ended("max_iterations"), last: state.last }, false)])
    expect(breakerOf(lines)).toBe("breaker   CLOSED · iteration 2 was denied Bash(rm x), Write");
  expect(statusReport(state, null, true, NOW).denied).toEqual({ iteration: 2, commands: ["Bash(rm x)", "Write"] });
  expect(statusReport(running, null, true, NOW).denied).toBeNull();
  expect(breakerOf(shown({ ...running, last: recordOf() }, true))).toBe("breaker   CLOSED");
});

test("the status says at most an hour until the calls count anew, though the clock was set back by years", () => {
  const set_back = START - 400 * 24 * 60 * 60 * SECOND;
  const calls = shown(ended("max_iterations"), false, 80, set_back).find((line) => line.startsWith("calls"));
  expect(calls).toBe("calls     3 of 100 this hour, resets in 1 h");
});

test("the status of a finished run shows the next command", () => {
  expect(`\n${shown(ended("max_iterations"), false).join("\n")}\n`).toMatchInlineSnapshot(`
    "
    ■ max_iterations  /project
    why       The allowed number of iterations is used up.
    run       0007-20260304-120000 · Claude Code · iteration 3
    calls     3 of 100 this hour, resets in 59 min 30 s
    spent     $0.84 · 24.6k tokens: 24.0k in, 600 out
    updated   8.0 s ago
    next      Go on with: ralph run
    "
  `);
});

test("what somebody added to a completed plan is what the next command works on, but for a task of its own", () => {
  const next = (started_by: string, reopened: boolean, reason: StopReason = "plan_complete") => {
    const report = statusReport({ ...ended(reason), started_by }, null, false, NOW);
    const lines = statusLines(report, { style: style(false), width: 200, now: NOW, reopened });
    return lines.filter((line) => line.startsWith("next ")).map((line) => line.slice(10));
  };
  expect(next("cli", true)).toEqual(["The plan has open boxes again. Go on with: ralph run"]);
  expect(next("swarm", true)).toEqual(["The plan has open boxes again. Go on with: ralph swarm"]);
  for (const [started_by, reopened] of [
    ["task", true],
    ["cli", false],
  ] as const)
    expect(next(started_by, reopened)).toEqual(["See what was done with: ralph report"]);
  expect(next("cli", true, "disk_full")).toEqual(["Free some space, then go on with: ralph run"]);
});

test("once everything is answered that a run waited for, the next step is to go on", () => {
  const question = { number: 1, run: "r", iteration: 1, kind: "question", task: "one", text: "Which?" } as const;
  const next = (parked: boolean | null, started_by = "cli") => {
    const settings = { ...running.settings, ON_QUESTION: "park" };
    const inbox = { ...running.inbox, open: parked === null ? [] : [{ ...question, parked }] };
    const lines = shown({ ...ended("waits_for_answer"), started_by, settings, inbox }, false, 200);
    return lines.find((line) => line.startsWith("next "))?.slice(10);
  };
  const waits = "See what is asked, and how to answer, with: ralph inbox. Then go on with: ralph run";
  expect(next(true)).toBe(waits);
  expect([next(false), next(null)]).toEqual(Array.from({ length: 2 }, () => "It is answered. Go on with: ralph run"));
  // What a swarm waits for stands in its claims.
  expect(next(null, "swarm")).toContain("ralph inbox");
});

test("the status names red gates beside the plan: with every box ticked they are why it goes on", () => {
  const gate = (command: string, ok: boolean) => ({ command, ok, exit_code: ok ? 0 : 1, timed_out: false, tail: "" });
  const state = { ...ended("max_iterations"), gates: [gate("npm run lint", true), gate("npm test", false)] };
  const parsed = parsePlan("- [x] one\n", []);
  const report = statusReport({ ...state, plan: parsed.counts }, planReport("plan.md", parsed), false, NOW);
  expect(statusLines(report, { style: style(false), width: 80, now: NOW })).toContain(
    "plan      1 of 1 done · ✗ npm test",
  );
  expect(shown(state, false)).toContain("gates     ✗ npm test");
  expect(report.red_gates).toEqual(["npm test"]);
});

describe("the end of a run in its status", () => {
  test("says why, folded, and that nothing but the agent's word says that it is done", () => {
    const state = ended("project_complete");
    const why = (proof: "word" | "gates") => {
      const finished = state.finished === null ? null : { ...state.finished, proof };
      return shown({ ...state, finished }, false, 60).slice(1, 3);
    };
    expect(why("word")).toEqual([
      "why       The agent said that everything is done, and",
      "          confirmed it. Unproven: the agent's word alone.",
    ]);
    expect(why("gates")[1]).toBe("          confirmed it.");
  });

  test.each<[StopReason, string]>([
    ["stopped_by_user", "■ stopped_by_user  /project"],
    ["project_complete", "✓ project_complete  /project"],
    ["max_cost", "■ max_cost  /project"],
    ["interrupted", "■ interrupted  /project"],
    ["repeated_error", "! repeated_error  /project"],
    ["internal_error", "✗ internal_error  /project"],
  ])("is shown for %s", (reason, head) => expect(shown(ended(reason), false)[0]).toBe(head));

  test.each(Object.keys(STOP_REASONS) as StopReason[])(
    "agrees with the last action of status.json for %s",
    (reason) => {
      expect(statusReport({ ...ended(reason), last_action: "stopping" }, null, false, NOW).last_action).toBe(
        STOP_REASONS[reason].action,
      );
    },
  );
});

describe("the status of a provider's limit", () => {
  const resets_at = new Date(START + 7_200_000).toISOString();
  const until = START + 7_205_000;
  const limit = { kind: "usage_limit", message: "", count: 1, resets_at, until } as const;

  test("shows the end of a wait", () => {
    const wait = { why: "usage_limit", until: new Date(until).toISOString(), message: "" } as const;
    const waiting = { ...running, limit, wait, last_action: "api_limit" };
    expect(shown(waiting, true)).toContain("iteration 3 · Waiting for the provider's usage limit, until 14:00:05");
    expect(shown(waiting, false).join("\n")).not.toContain("until");
  });

  test.each([
    [resets_at, START, "It resets 14:00:00. Wait it out with: ralph run --on-limit wait"],
    [resets_at, START + 7_200_000, "The limit is over. Go on with: ralph run"],
    [null, START, "Wait it out with: ralph run --on-limit wait"],
  ])("with its end at %s shows the next step at %d", (at, now, next) => {
    const lines = shown({ ...ended("usage_limit"), limit: { ...limit, resets_at: at } }, false, 80, now);
    expect(lines.at(-1)).toBe(`next      ${next}`);
  });
});

describe("an unfinished import in the status", () => {
  const limit = { kind: "usage_limit", message: "", count: 1, until: 0 } as const;
  const later = new Date(NOW + 7_200_000).toISOString();
  test.each<[StopReason, string | null, string]>([
    ["usage_limit", later, "It resets 14:00:30. When it is over: ralph import FILE"],
    ["usage_limit", new Date(NOW).toISOString(), "The limit is over. Go on with: ralph import FILE"],
    ["usage_limit", null, "When it is over: ralph import FILE"],
    ["authentication", null, "Log in, then: ralph import FILE"],
    ["interrupted", null, "Go on with: ralph import FILE"],
  ])("continues as an import after %s", (reason, resets_at, next) => {
    const state: State = { ...ended(reason), started_by: "import", limit: { ...limit, resets_at } };
    expect(shown(state, false).at(-1)).toBe(`next      ${next}`);
  });
  test("continues as an import after a kill", () =>
    expect(shown({ ...running, started_by: "import" }, false).at(-1)).toBe("next      Go on with: ralph import FILE"));
});

test("a run that an open breaker refused has no log that says why, and is sent to none", () => {
  const refused: State = { ...ended("stagnation_detected"), iteration: 0, iterations: 0 };
  expect(shown(refused, false, 200).at(-1)).toBe("next      Go on with: ralph circuit reset, and ralph run");
});

describe("an unfinished task, which may have no prompt file, in the status", () => {
  const limit = { kind: "usage_limit", message: "", count: 1, until: 0, resets_at: null } as const;
  const task = "ralph resume";
  test.each<[StopReason, string]>([
    ["interrupted", `Go on with: ${task}`],
    ["max_iterations", `Go on with: ${task}`],
    ["max_cost", `Go on with: ${task}`],
    ["max_tokens", `Go on with: ${task}`],
    ["max_time", `Go on with: ${task}`],
    ["usage_limit", `Wait it out with: ${task} --on-limit wait`],
    ["repeated_error", `See why with: ralph logs. Then: ralph circuit reset, and ${task}`],
    ["blocked", `See what the agent says with: ralph logs. Then go on with: ${task}`],
    ["permission_denied", `Allow what was denied (--allowed-tools, --permission-mode), then: ${task}`],
    ["files_deleted", `Look at what is there with: git status. Then go on with: ${task}`],
  ])("continues as a task after %s", (reason, next) => {
    const state: State = { ...ended(reason), started_by: "task", limit };
    expect(shown(state, false, 200).at(-1)).toBe(`next      ${next}`);
  });
  test("continues as a task after a kill", () =>
    expect(shown({ ...running, started_by: "task" }, false).at(-1)).toBe(`next      Go on with: ${task}`));
});

test.each([
  ["swarm", ["2"], "ralph swarm 2"],
  ["land", ["topic", "fix-7"], "ralph land topic fix-7"],
])(
  "work that a %s did not land goes on with the same command, once its reason is mended",
  (started_by, words, command) => {
    const state: State = { ...ended("not_all_landed"), started_by, words };
    expect(shown(state, false, 200).at(-1)).toBe(`next      See why with: ralph logs. When that is mended: ${command}`);
  },
);

test("a run that broke off is called so in the status, as on every screen", () => {
  const lines = shown(running, false);
  expect(lines[0]).toStartWith("✗ broke off  ");
  expect(lines[1]).toBe("why       The process ended unexpectedly.");
  expect(lines.at(-1)).toBe("next      Go on with: ralph run");
});

test("the next command in the status is never cut off", () => {
  const lines = shown(ended("stagnation_detected"), false, 40).slice(-3);
  expect(lines).toEqual([
    "next      See why with: ralph logs.",
    "          Then: ralph circuit reset, and",
    "          ralph run",
  ]);
});

test("the status of a run without an iteration shows no number", () => {
  const begun = { ...running, iteration: 0, last_action: "started" };
  expect(shown(begun, true).join("\n")).toMatch(/^iteration started$/m);
  expect(shown({ ...ended("interrupted"), iteration: 0 }, false).join("\n")).not.toContain("iteration");
});

test("the status lists what needs a person below the next step, and names a task as next that is not set aside", () => {
  const question = { number: 1, run: "r", iteration: 2, kind: "question", text: "Which one?", parked: true } as const;
  const state = {
    ...ended("max_iterations"),
    settings: { ON_QUESTION: "park" },
    inbox: { asked: 1, open: [{ ...question, task: "one" }], settled: [] },
  };
  const plan = planReport("plan.md", parsePlan("- [ ] one\n- [ ] two\n", []));
  const lines = (width: number) =>
    statusLines(statusReport(state, plan, false, NOW), { style: style(false), width, now: NOW });
  expect(lines(80)).toContainEqual(expect.stringContaining("next: two"));
  expect(lines(80).slice(-4)).toEqual([
    "Needs you (1)",
    "  ? iteration 2 asks, set aside · one",
    "    Which one?",
    '    ralph inbox answer 1 "your answer"',
  ]);
  for (const width of [20, 40, 120]) {
    const all = lines(width);
    const wide = all.slice(all.indexOf("Needs you (1)")).filter((line) => columns(line) > width);
    expect(wide).toEqual([]);
  }
});
