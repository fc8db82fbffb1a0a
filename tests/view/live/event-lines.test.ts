import { describe, expect, test } from "bun:test";
import type { EventBody, WaitReason } from "../../../src/core/journal/event.ts";
import { reduce } from "../../../src/core/journal/reduce.ts";
import { initialState } from "../../../src/core/journal/state.ts";
import { noUsage } from "../../../src/core/journal/usage.ts";
import { closedBreaker } from "../../../src/core/stop/circuit-breaker.ts";
import { STOP_REASONS, type StopReason } from "../../../src/core/stop/stop-reasons.ts";
import type { LineOptions } from "../../../src/view/live/event-lines.ts";
import { nextStep } from "../../../src/view/next-step.ts";
import { markdownLines } from "../../../src/view/text/markdown.ts";
import { style } from "../../../src/view/text/style.ts";
import { columns } from "../../../src/view/text/text.ts";
import {
  agentFinished,
  iterationFinished,
  iterationStarted,
  runFinished,
  runStarted,
} from "../../core/state-files/script.ts";
import { eventsOf, runningRun, SECOND, START, toolEvents } from "../sample-run.ts";
import { footerOf, linesOfRun } from "../shown.ts";

function shown(bodies: readonly EventBody[], more: Partial<LineOptions> = {}): string[] {
  return linesOfRun(eventsOf(bodies), more);
}

test("the header says one call, and one iteration", () => {
  const settings = { MAX_CALLS_PER_HOUR: 1, MAX_ITERATIONS: 1 };
  expect(shown([runStarted(undefined, settings)])).toContain("at most 1 iteration · 1 call an hour");
});

test("a landing names no agent, since it starts none", () => {
  const landing = { ...runStarted(undefined, { CLAUDE_CODE_CMD: "./agent.sh" }), started_by: "land", display_name: "" };
  const [first] = shown([landing as EventBody]);
  expect(first).toEndWith("  land");
  expect(first).not.toContain("agent.sh");
});

test("the lines of a whole run", () => {
  expect(`\n${linesOfRun(runningRun).join("\n")}\n`).toMatchInlineSnapshot(`
    "
    ralph 1.0.0  Claude Code · bypassPermissions
    /project
    at most 8 iterations, $5.00 · 100 calls an hour

    Iteration 1 ────────────────────────────────────────────────  plan 0/5
      ## Step 1

      I **read** \`src/a.ts\` and wrote the parser.
        Edit src/a.ts +2 -1 1.0 s
        $ npm test ✓ 1.0 s
      ✓ Progress: 2 files changed, 1 box ticked.
        1 min 35 s · 12.3k tokens · $0.42

    Iteration 2 ────────────────────────────────────────────────  plan 1/5
      ## Step 2

      I **read** \`src/a.ts\` and wrote the parser.
        Edit src/a.ts +2 -1 1.0 s
        $ npm test ✓ 1.0 s
      ✓ Progress: 1 files changed, 1 box ticked.
        1 min 35 s · 12.3k tokens · $0.42

    Iteration 3 ────────────────────────────────────────────────  plan 2/5
        $ rm -rf / ✗ 1.0 s
          ✗ Permission denied
      ✉ For the next prompt: Use yargs
    "
  `);
});

test.each([
  [72, /^Iteration 1 {2}Greet everybody by name, in the language of… ── {2}plan 0\/5$/],
  [40, /^Iteration 1 {2}Greet every… ── {2}plan 0\/5$/],
  [30, /^Iteration 1 ─+ {2}plan 0\/5$/],
])("in %i columns the heading of an iteration names its task as far as there is room", (width, heading) => {
  const started = runningRun.find(({ type }) => type === "iteration_started");
  if (started === undefined) throw new Error("no iteration");
  const task = "Greet everybody by name,\nin the language of the country they come from";
  const line =
    linesOfRun([...runningRun.slice(0, 1), { ...started, task } as (typeof runningRun)[number]], { width }).at(-1) ??
    "";
  expect(line).toMatch(heading);
  expect(Bun.stringWidth(line)).toBeLessThanOrEqual(width);
});

describe("a tool and its result", () => {
  const bash = (id: string, command: string): EventBody => ({
    type: "agent_tool_started",
    call: 1,
    tool_id: id,
    tool: "Bash",
    input: { command, description: null },
  });
  const result = (id: string, content: string, is_error = false): EventBody => ({
    type: "agent_tool_finished",
    call: 1,
    tool_use_id: id,
    content,
    is_error,
  });

  test("are one line after a success", () => {
    expect(shown([iterationStarted(1), ...toolEvents("a", "npm test", "12 pass")]).at(-1)).toBe(
      "    $ npm test ✓ 1.0 s",
    );
  });

  test("have their result below if the user wants all details, and so have notes", () => {
    const bodies: EventBody[] = [
      iterationStarted(1),
      ...toolEvents("a", "npm test", "12 pass"),
      { type: "note", level: "info", text: "A detail." },
    ];
    expect(shown(bodies, { verbose: true }).slice(-3)).toEqual([
      "    $ npm test ✓ 1.0 s",
      "      12 pass",
      "  · A detail.",
    ]);
    expect(shown(bodies).at(-1)).toBe("    $ npm test ✓ 1.0 s");
  });

  test("are one line and the first words after a failure", () => {
    expect(shown([iterationStarted(1), ...toolEvents("a", "npm test", "1 fail\nmore", true)]).slice(-2)).toEqual([
      "    $ npm test ✗ 1.0 s",
      "      ✗ 1 fail more",
    ]);
  });

  test("of parallel calls come in the order of their ends", () => {
    expect(
      shown([iterationStarted(1), bash("a", "sleep 2"), bash("b", "true"), result("b", ""), result("a", "")]).slice(-2),
    ).toEqual(["    $ true ✓ 1.0 s", "    $ sleep 2 ✓ 3.0 s"]);
  });

  test("come without a result when the agent continues", () => {
    expect(
      shown([iterationStarted(1), bash("a", "make"), { type: "agent_text", call: 1, text: "On I go." }]).slice(-2),
    ).toEqual(["    $ make", "  On I go."]);
  });

  test("come without a result at the end of the call", () => {
    expect(shown([iterationStarted(1), bash("a", "make"), agentFinished()]).at(-1)).toBe("    $ make");
  });

  describe("where no footer shows what runs", () => {
    const linesOf = (...bodies: EventBody[]) =>
      shown([iterationStarted(1), ...bodies], { toolsAsCalled: true }).slice(2);

    test("are shown as the tool is called, and its end below", () => {
      expect(linesOf(bash("a", "make"))).toEqual(["    $ make"]);
      expect(linesOf(bash("a", "make"), result("a", "ok"))).toEqual(["    $ make", "      ✓ 1.0 s"]);
      expect(linesOf(bash("a", "make"), result("a", "no rule", true))).toEqual(["    $ make", "      ✗ no rule"]);
      expect(linesOf(bash("a", "make"), result("a", "", true))).toEqual(["    $ make", "      ✗ 1.0 s"]);
    });

    test("of parallel calls are told apart by the whole line", () => {
      expect(linesOf(bash("a", "sleep 2"), bash("b", "true"), result("b", ""), result("a", ""))).toEqual([
        "    $ sleep 2",
        "    $ true",
        "    $ true ✓ 1.0 s",
        "      ✓ 3.0 s",
      ]);
    });

    test("are not said again when the agent continues without a result", () => {
      expect(linesOf(bash("a", "make"), { type: "agent_text", call: 1, text: "On I go." }, agentFinished())).toEqual([
        "    $ make",
        "  On I go.",
      ]);
    });

    test("are not shown without live", () => {
      const bodies = [iterationStarted(1), bash("a", "make"), result("a", "")];
      expect(shown(bodies, { toolsAsCalled: true, live: false }).slice(2)).toEqual([]);
    });
  });

  test("are above the status line while the tool runs", () => {
    const begun = eventsOf([iterationStarted(1), bash("a", "npm test")]);
    const state = begun.reduce(reduce, { ...initialState("/project"), run: "r" });
    const lines = footerOf(state, { partial: "Half a sen", now: START + 10 * SECOND });
    expect(lines.slice(0, 2)).toEqual(["  Half a sen", "    $ npm test … 9 s"]);
  });

  test("lose their terminal controls", () => {
    expect(
      shown([iterationStarted(1), ...toolEvents("a", "echo \u001b[2Jx\rrm", "\u001b]0;title\u0007no", true)]).join(""),
    ).not.toMatch(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not reach a terminal
      /[\u0000-\u001f]/,
    );
  });
});

describe("the user's action", () => {
  test.each<[EventBody[], string]>([
    [[{ type: "said", text: "Use yargs" }], "  ✉ For the next prompt: Use yargs"],
    [[{ type: "said", text: "Use yargs" }, iterationStarted(1)], "  ✉ Told the agent: Use yargs"],
    [[{ type: "paused" }], "  Pausing."],
    [[iterationStarted(1), { type: "paused" }], "  Pausing after this iteration."],
    [[{ type: "resumed" }], "  Going on."],
    [
      [iterationStarted(1), { type: "stop_requested", how: "after_iteration", by: "SIGINT" }],
      "  Stopping after this iteration. Ctrl+C again ends it now.",
    ],
    [[{ type: "stop_requested", how: "after_iteration", by: "SIGINT" }], "  Stopping."],
    [[{ type: "bound_raised", iterations: 2 }], "  2 more iterations are allowed."],
  ])("%j has a line", (bodies, line) => expect(shown(bodies).at(-1)).toBe(line));

  test('"paused" during a wait has no line, because the wait shows it', () => {
    const wait: EventBody = { type: "wait_started", until: new Date(START).toISOString(), why: "failure", message: "" };
    const waiting = [iterationStarted(1), wait];
    expect(shown([...waiting, { type: "paused" }])).toEqual(shown(waiting));
  });
});

test.each(Object.keys(STOP_REASONS) as StopReason[])("the receipt of %s ends with the next command", (reason) => {
  const lines = shown([runFinished(reason, { exit_code: STOP_REASONS[reason].exit })], { width: 200 });
  expect(lines.at(-1)).toBe(
    `  ${nextStep({ reason, started_by: null, words: [], project: "", limit_resets_at: null }, START).text}`,
  );
  expect(lines[1]).toContain(reason);
});

describe("the agent's Markdown", () => {
  const text = "# Title\nSome **bold** and `code` and 2 ** 3.\n- one\n  * two\n```ts\nconst a = `b`;\n```\n";

  test("is styled lightly", () => {
    const plainStyle = style(false);
    const marked = {
      ...style(true),
      bold: (t: string) => `<b>${t}</b>`,
      cyan: (t: string) => `<c>${t}</c>`,
      dim: (t: string) => `<d>${t}</d>`,
    };
    expect(markdownLines(text, 60, marked)).toEqual([
      "<b>Title</b>",
      "Some <b>bold</b> and <c>code</c> and 2 ** 3.",
      "• one",
      "  • two",
      "<d>│ </d>const a = `b`;",
      "",
    ]);
    expect(markdownLines(text, 60, plainStyle)).toEqual(text.split("\n"));
  });

  test("is folded to the width", () => {
    for (const line of markdownLines("word ".repeat(30), 20, style(true))) expect(line.length).toBeLessThanOrEqual(20);
  });
});

test.each([30, 40, 60, 100])("no event's line is wider than %d columns", (width) => {
  const half_open = { ...closedBreaker(), state: "half_open", why: "warning", no_progress: 2 } as const;
  const bodies: EventBody[] = [
    { ...runStarted(), driver: "claude-code" } as EventBody,
    { type: "run_recovered", of_run: "0001-20260304-120000", interrupted_iteration: 3, ended_processes: [] },
    {
      ...iterationStarted(1234),
      plan: { total: 345, checked: 12, unchecked: 333, blocking_unchecked: 333 },
    } as EventBody,
    { type: "agent_limit", call: 1, kind: "usage_limit", message: "Enough ".repeat(30), resets_at: null },
    { type: "wait_started", until: new Date(START).toISOString(), why: "usage_limit", message: "Enough" },
    { type: "stop_requested", how: "after_iteration", by: "user" },
    { type: "stop_withdrawn" },
    { type: "paused" },
    { type: "said", text: "Use yargs, please. ".repeat(9) },
    { type: "bound_raised", iterations: 2000 },
    { type: "note", level: "warn", text: "A note of some length. ".repeat(9) },
    {
      type: "gate_finished",
      command: "npm test ".repeat(9),
      exit_code: 1,
      ms: 9000,
      timed_out: false,
      output: "bad ".repeat(40),
    },
    iterationFinished({
      breaker: half_open,
      ms: 3_599_000,
      usage: { ...noUsage(), input_tokens: 1e8, cost_usd: 1234.5 },
    }),
    iterationStarted(1235),
    { type: "iteration_interrupted", number: 1235, why: "the run ended while it waited" },
    runFinished("stagnation_detected", { sentence: "Nothing changed. ".repeat(9) }),
  ];
  expect(shown(bodies, { width, verbose: true }).filter((line) => columns(line) > width)).toEqual([]);
});

test("a red gate is followed by what failed, where its output names it, else by its last words", () => {
  const gate = (failing?: string[]): EventBody => ({
    type: "gate_finished",
    command: "npm test",
    exit_code: 1,
    ms: 10,
    timed_out: false,
    output: "not ok 1 - adds\nnot ok 2 - halves\n# fail 2\n# duration_ms 941.5\n",
    ...(failing === undefined ? {} : { failing }),
  });
  expect(shown([gate(["not ok 1 - adds", "not ok 2 - halves"])]).at(-1)).toBe("    not ok 1 - adds, and more");
  expect(shown([gate(["not ok 1 - adds"])]).at(-1)).toBe("    not ok 1 - adds");
  expect(shown([gate()]).at(-1)).toBe("    # duration_ms 941.5");
});

test("a call that is repeated in a new conversation says why the old one is left", () => {
  const failed = (kind: "session" | "context"): EventBody => ({
    type: "agent_finished",
    call: 1,
    outcome: "failed",
    exit_code: 1,
    signal: null,
    ms: 10,
    ok: false,
    final_text: null,
    error: { class: kind, message: "No" },
    unknown_events: 0,
    repeat: "session",
  });
  expect(shown([iterationStarted(1), failed("session")]).at(-1)).toBe(
    "  The agent does not know this session; trying again without it.",
  );
  expect(shown([iterationStarted(1), failed("context")]).at(-1)).toBe(
    "  This conversation cannot go on; trying again with a new one.",
  );
});

test("the reason for a failed call or a spent budget is shown once", () => {
  const wait = (why: WaitReason): EventBody => ({
    type: "wait_started",
    until: new Date(START + 60 * SECOND).toISOString(),
    why,
    message: "Some reason",
  });
  expect(shown([iterationStarted(1), wait("failure"), wait("call_budget")]).slice(-2)).toEqual([
    "  Pausing after a failed call, until 12:01:00",
    "  Call budget used up, until 12:01:00",
  ]);
});

test("a narrow screen leaves most columns to a tool's argument", () => {
  const narrow = shown([iterationStarted(1), ...toolEvents("a", "git commit -m done", "ok")], { width: 40 });
  expect(narrow.at(-1)).toBe("    $ git commit -m done ✓ 1.0 s");
});

test("a wait that the run's own time cuts short does not say that the limit ends then", () => {
  const waits = (minutes: number): EventBody => ({
    type: "wait_started",
    why: "usage_limit",
    until: new Date(START + minutes * 60_000).toISOString(),
    message: "",
  });
  const line = (minutes: number) =>
    shown([runStarted(undefined, { MAX_TIME: 30 }), waits(minutes)], { width: 200 }).at(-1);
  expect(line(29)).toBe("  Waiting for the provider's usage limit, until 12:29:00");
  expect(line(30)).toBe("  Waiting for the provider's usage limit, until 12:30:00, when the run's time is over");
});

test("a receipt leaves out figures of zero", () => {
  const lines = shown([runFinished("max_time", { iterations: 0, calls: 0, cost_usd: 0 })]);
  expect(lines[3]).toBe("  no iteration · 0.0 s");
});

describe("the end of a run", () => {
  const inHours = (hours: number) => new Date(START + hours * 3_600_000).toISOString();
  const limitOver = (resets_at: string | null): EventBody => ({
    type: "agent_limit",
    call: 1,
    kind: "usage_limit",
    message: "Enough",
    resets_at,
  });

  test.each([
    [inHours(50), "  It resets Fri 14:00. Wait it out with: ralph run --on-limit wait"],
    [inHours(17.5), "  It resets Thu 05:30. Wait it out with: ralph run --on-limit wait"],
    [inHours(2), "  It resets 14:00:00. Wait it out with: ralph run --on-limit wait"],
    [null, "  Wait it out with: ralph run --on-limit wait"],
  ])("by a limit until %s shows it once, with the next command", (resets_at, line) => {
    const lines = shown([iterationStarted(1), limitOver(resets_at), runFinished("usage_limit")]);
    expect(lines.filter((shownLine) => shownLine.includes("limit wait"))).toEqual([line]);
  });

  test("by another cause names no limit", () => {
    const lines = shown([iterationStarted(1), limitOver(inHours(2)), runFinished("max_time")]);
    expect(lines.join("\n")).not.toContain("resets");
  });

  test("by a breaker open at the start shows once how to close it", () => {
    const refused = runFinished("stagnation_detected", {
      iterations: 0,
      sentence: "The circuit breaker is still OPEN. Close it with: ralph circuit reset",
    });
    expect(
      shown([refused])
        .join("\n")
        .match(/circuit reset/g),
    ).toHaveLength(1);
    expect(shown([runFinished("stagnation_detected")]).at(-1)).toContain("circuit reset");
  });

  test("of a demo suggests no report, because nothing is kept", () => {
    const started = runStarted();
    const of = (started_by: string) =>
      shown([{ ...started, started_by } as EventBody, runFinished("project_complete")]);
    expect(of("cli").at(-1)).toBe("  See what was done with: ralph report");
    expect(of("demo").join("\n")).not.toContain("ralph report");
  });
});
