import { describe, expect, test } from "bun:test";
import type { EventBody } from "../../src/core/event.ts";
import { reduce } from "../../src/core/reduce.ts";
import { initialState, type State } from "../../src/core/state.ts";
import { STOPS, type StopReason } from "../../src/core/stop.ts";
import { noUsage } from "../../src/core/usage.ts";
import { footerLines } from "../../src/view/footer.ts";
import { linesOf } from "../../src/view/line.ts";
import { markdownLines } from "../../src/view/markdown.ts";
import { nextStep } from "../../src/view/next-step.ts";
import { shortener } from "../../src/view/path.ts";
import { style } from "../../src/view/style.ts";
import { callEvents } from "../core/given.ts";
import { eventsOf, runningRun, SECOND, START, toolEvents } from "./sample-run.ts";

const options = { width: 72, style: style(false), shorten: shortener("/project", false), verbose: false, live: true };

function shown(bodies: readonly EventBody[], more: Partial<typeof options> = {}): string[] {
  let state: State = initialState("/project");
  return eventsOf(bodies).flatMap((event) => {
    const previous = state;
    state = reduce(state, event);
    return linesOf(event, state, previous, { ...options, ...more });
  });
}

test("a whole run", () => {
  let state: State = initialState("/project");
  const lines = runningRun.flatMap((event) => {
    const previous = state;
    state = reduce(state, event);
    return linesOf(event, state, previous, options);
  });
  expect(`\n${lines.join("\n")}\n`).toMatchInlineSnapshot(`
    "
    ralph 1.0.0  claude-code · bypassPermissions
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

describe("a tool and its result stand on one line", () => {
  const [begin] = callEvents(1, 1);
  const start = begin === undefined ? [] : [begin];
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

  test("that went well", () => {
    expect(shown([...start, ...toolEvents("a", "npm test", "12 pass")]).at(-1)).toBe("    $ npm test ✓ 1.0 s");
  });

  test("that failed, with its first words", () => {
    expect(shown([...start, ...toolEvents("a", "npm test", "1 fail\nmore", true)]).slice(-2)).toEqual([
      "    $ npm test ✗ 1.0 s",
      "      ✗ 1 fail more",
    ]);
  });

  test("side by side, in the order in which they end", () => {
    expect(
      shown([...start, bash("a", "sleep 2"), bash("b", "true"), result("b", ""), result("a", "")]).slice(-2),
    ).toEqual(["    $ true ✓ 1.0 s", "    $ sleep 2 ✓ 3.0 s"]);
  });

  test("of which no result comes, when the agent goes on", () => {
    expect(shown([...start, bash("a", "make"), { type: "agent_text", call: 1, text: "On I go." }]).slice(-2)).toEqual([
      "    $ make",
      "  On I go.",
    ]);
  });

  test("of which no result comes, at the end of the call", () => {
    const [, finished] = callEvents(1, 1);
    const end = finished === undefined ? [] : [finished];
    expect(shown([...start, bash("a", "make"), ...end]).at(-1)).toBe("    $ make");
  });

  test("and while it runs, above the status line", () => {
    const state = eventsOf([...start, bash("a", "npm test")]).reduce(reduce, { ...initialState("/project"), run: "r" });
    const lines = footerLines({
      state,
      partial: "Half a sen",
      next: null,
      width: 60,
      style: style(false),
      shorten: (text) => text,
      now: START + 10 * SECOND,
      note: "",
    });
    expect(lines.slice(0, 2)).toEqual(["  Half a sen", "    $ npm test … 9 s"]);
  });

  test("its terminal controls are taken out", () => {
    expect(
      shown([...start, ...toolEvents("a", "echo \u001b[2Jx\rrm", "\u001b]0;title\u0007no", true)]).join(""),
    ).not.toMatch(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not reach a terminal
      /[\u0000-\u001f]/,
    );
  });
});

describe("what the user does is told", () => {
  const [first] = callEvents(1, 1);
  test.each<[EventBody[], string]>([
    [[{ type: "said", text: "Use yargs" }], "  ✉ For the next prompt: Use yargs"],
    [[{ type: "said", text: "Use yargs" }, ...(first === undefined ? [] : [first])], "  ✉ Told the agent: Use yargs"],
    [[{ type: "paused" }], "  Paused."],
    [[...(first === undefined ? [] : [first]), { type: "paused" }], "  Pausing after this iteration."],
    [[{ type: "resumed" }], "  Going on."],
    [[{ type: "bound_raised", iterations: 2 }], "  2 more iterations are allowed."],
  ])("%j", (bodies, line) => expect(shown(bodies).at(-1)).toBe(line));
});

test.each(Object.keys(STOPS) as StopReason[])("the receipt of %s ends with what to type next", (reason) => {
  const { exit, text } = STOPS[reason];
  const end = {
    stop_reason: reason,
    exit_code: exit,
    sentence: text,
    iterations: 1,
    calls: 1,
    usage: noUsage(),
    cost_usd: null,
  };
  const lines = shown([{ type: "run_finished", ...end }], { width: 200 });
  expect(lines.at(-1)).toBe(`  ${nextStep(reason)}`);
  expect(lines[1]).toContain(reason);
});

describe("markdown", () => {
  const text = "# Title\nSome **bold** and `code` and 2 ** 3.\n- one\n  * two\n```ts\nconst a = `b`;\n```\n";

  test("is set off lightly", () => {
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

  test("is folded", () => {
    for (const line of markdownLines("word ".repeat(30), 20, style(true))) expect(line.length).toBeLessThanOrEqual(20);
  });
});

test("a narrow screen keeps most of its columns for what a tool does", () => {
  const [started] = callEvents(1, 1);
  const begin = started === undefined ? [] : [started];
  const narrow = shown([...begin, ...toolEvents("a", "git commit -m done", "ok")], { width: 40 });
  expect(narrow.at(-1)).toBe("    $ git commit -m done ✓ 1.0 s");
});

test("a receipt counts nothing that was not there", () => {
  const end = { iterations: 0, calls: 0, usage: noUsage(), cost_usd: 0 };
  const lines = shown([{ type: "run_finished", stop_reason: "max_time", exit_code: 4, sentence: "Over.", ...end }]);
  expect(lines[3]).toBe("  no iteration · 0.0 s");
});

describe("the end of a run", () => {
  const end = (stop_reason: StopReason): EventBody => ({
    type: "run_finished",
    stop_reason,
    exit_code: STOPS[stop_reason].exit,
    sentence: STOPS[stop_reason].text,
    iterations: 0,
    calls: 0,
    usage: noUsage(),
    cost_usd: null,
  });

  function ended(reason: StopReason, about: Partial<State>): string[] {
    const [event] = eventsOf([end(reason)]);
    if (event === undefined) throw new Error("no event");
    const state = { ...initialState("/project"), run: "r", started_at: event.at, ...about };
    return linesOf(event, state, state, options);
  }

  test("by a limit says when there is something to go on with", () => {
    const resets_at = new Date(START + 50 * 3_600_000).toISOString();
    const limit = { kind: "usage_limit", message: "", count: 1, resets_at, until: null } as const;
    expect(ended("usage_limit", { limit })).toContain("  It resets Fri 14:00.");
    expect(ended("max_time", { limit }).join("\n")).not.toContain("resets");
  });

  test("of a demo, of which nothing is left, sends nobody to a report", () => {
    expect(ended("project_complete", {}).at(-1)).toBe("  See what was done with: ralph report");
    expect(ended("project_complete", { started_by: "demo" }).join("\n")).not.toContain("ralph report");
  });
});
