import { describe, expect, test } from "bun:test";
import stringWidth from "string-width";
import type { RalphEvent } from "../../../src/core/journal/event.ts";
import { frame } from "../../../src/view/dashboard/frame.ts";
import type { FrameInput } from "../../../src/view/dashboard/frame-input.ts";
import { applyEvent, type Dashboard, emptyDashboard } from "../../../src/view/dashboard/model.ts";
import { createOutputLines } from "../../../src/view/dashboard/output-lines.ts";
import { initialUi, type Ui } from "../../../src/view/dashboard/ui-state.ts";
import { plan, runningRun, SECOND, START } from "../sample-run.ts";
import { given as sampleGiven } from "./frame-given.ts";

const envelope = { v: 1, seq: 99, at: new Date(START + 20 * SECOND).toISOString(), run: "r", iteration: 3 } as const;
const toolStarted: RalphEvent = {
  ...envelope,
  type: "agent_tool_started",
  call: 1,
  tool_id: "now",
  tool: "Bash",
  input: { command: "npm run build", description: null },
};

const given = { ...sampleGiven, plan };
const { dashboard } = given;

function screen(columns: number, rows: number, ui: Partial<Ui> = {}, more: Partial<FrameInput> = {}): string {
  const size = { columns, rows };
  const { lines } = frame({ ...given, ui: { ...initialUi(), ...ui }, size, output: createOutputLines(), ...more });
  return `\n${lines.join("\n")}\n`;
}

test("the dashboard in 40 columns", () => {
  expect(screen(40, 20)).toMatchInlineSnapshot(`
    "
    ralph  greeter
    ⠋ iteration 3 of 8  11 s    24.6k tokens
    ────────────────────────────────────────
    plan   ━━━━╌╌╌╌╌╌ 2/5  → Greet by name
    bounds calls 3/100 · iterations 3/8 · $…
    breaker CLOSED · same error 1/5
    last   ✓ Progress: 1 files changed, 1 b…
    tokens ██
    ────────────────────────────────────────
    Output
        $ npm test ✓ 1.0 s
      ✓ Progress: 1 files changed, 1 box
        ticked.
        1 min 35 s · 12.3k tokens · $0.42

    Iteration 3 ────────────────  plan 2/5
        $ rm -rf / ✗ 1.0 s
          ✗ Permission denied
      ✉ For the next prompt: Use yargs
    p pause  s stop  ? help  q leave
    "
  `);
});

test("the dashboard in 80 columns", () => {
  expect(screen(80, 26)).toMatchInlineSnapshot(`
    "
    ralph  greeter                            Claude Code · opus · bypassPermissions
    ⠋ iteration 3 of 8  11 s                  24.6k tokens · $0.84 · 30 s · run 0007
    ────────────────────────────────────────────────────────────────────────────────
    plan   ━━━━╌╌╌╌╌╌ 2/5  → Greet by name
    bounds calls 3/100 · iterations 3/8 · $0.84 of $5
    breaker CLOSED · idle 0/3 · same error 1/5
    last   ✓ Progress: 1 files changed, 1 box ticked.
    tokens ██
    ────────────────────────────────────────────────────────────────────────────────
    Output

      I **read** \`src/a.ts\` and wrote the parser.
        Edit src/a.ts +2 -1 1.0 s
        $ npm test ✓ 1.0 s
      ✓ Progress: 1 files changed, 1 box ticked.
        1 min 35 s · 12.3k tokens · $0.42

    Iteration 3 ────────────────────────────────────────────────  plan 2/5
        $ rm -rf / ✗ 1.0 s
          ✗ Permission denied
      ✉ For the next prompt: Use yargs
    ────────────────────────────────────────────────────────────────────────────────
    12:00:09 ✓ 1: Progress: 2 files changed, 1 box ticked.
    12:00:18 ✓ 2: Progress: 1 files changed, 1 box ticked.
    12:00:22 · for the next prompt: Use yargs
    p pause  s stop  a abort  + one more  t tell  enter iterations  ? help  q leave
    "
  `);
});

test("the dashboard in 120 columns", () => {
  expect(screen(120, 36)).toMatchInlineSnapshot(`
    "
    ralph  greeter                                                                    Claude Code · opus · bypassPermissions
    ⠋ iteration 3 of 8  11 s                                                          24.6k tokens · $0.84 · 30 s · run 0007
    ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
    Plan                            2 of 5 │ Output
    ━━━━━━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌ │ at most 8 iterations, $5.00 · 100 calls an hour
    ✓ Settings                             │
    ✓ Parser                               │ Iteration 1 ────────────────────────────────────────────────  plan 0/5
    → Greet by name                        │   ## Step 1
    ○ 日本語の文書                         │
    ○ Release                              │   I **read** \`src/a.ts\` and wrote the parser.
                                           │     Edit src/a.ts +2 -1 1.0 s
    Bounds                    resets 13:00 │     $ npm test ✓ 1.0 s
    calls/hour   ╌╌╌╌╌╌╌╌ 3 of 100         │   ✓ Progress: 2 files changed, 1 box ticked.
    iterations   ━━━╌╌╌╌╌ 3 of 8           │     1 min 35 s · 12.3k tokens · $0.42
    cost         ━╌╌╌╌╌╌╌ $0.84 of $5.00   │
                                           │ Iteration 2 ────────────────────────────────────────────────  plan 1/5
    Circuit breaker                 CLOSED │   ## Step 2
    idle         ○○○      0 of 3           │
    same error   ●○○○○    1 of 5           │   I **read** \`src/a.ts\` and wrote the parser.
    timed out    ○○       0 of 2           │     Edit src/a.ts +2 -1 1.0 s
                                           │     $ npm test ✓ 1.0 s
    Last answer   iteration 2 · 1 min 35 s │   ✓ Progress: 1 files changed, 1 box ticked.
    ✓ Progress: 1 files changed, 1 box     │     1 min 35 s · 12.3k tokens · $0.42
      ticked.                              │
    says         IN_PROGRESS · tests PASS… │ Iteration 3 ────────────────────────────────────────────────  plan 2/5
    evidence     1 commit · 1 file · +1 b… │     $ rm -rf / ✗ 1.0 s
                 src/a.ts                  │       ✗ Permission denied
                                           │   ✉ For the next prompt: Use yargs
    ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
    12:00:00 · run 0007-20260304-120000 began
    12:00:09 ✓ 1: Progress: 2 files changed, 1 box ticked.
    12:00:18 ✓ 2: Progress: 1 files changed, 1 box ticked.
    12:00:22 · for the next prompt: Use yargs


    p pause  s stop  a abort  + one more  t tell  enter iterations  d changes  / search  tab plan  ? help  q leave
    "
  `);
});

test("the dashboard in 200 columns", () => {
  expect(screen(200, 30)).toMatchInlineSnapshot(`
    "
    ralph  greeter                                                                                                                                                    Claude Code · opus · bypassPermissions
    ⠋ iteration 3 of 8  11 s                                                                                                                                          24.6k tokens · $0.84 · 30 s · run 0007
    ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
    Plan                                      2 of 5 │ Output                                                                                             │ Last answer             iteration 2 · 1 min 35 s
    ━━━━━━━━━━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌ │ /project                                                                                           │ ✓ Progress: 1 files changed, 1 box ticked.
    ✓ Settings                                       │ at most 8 iterations, $5.00 · 100 calls an hour                                                    │ says         IN_PROGRESS · tests PASSING ·
    ✓ Parser                                         │                                                                                                    │              confidence 40
    → Greet by name                                  │ Iteration 1 ────────────────────────────────────────────────  plan 0/5                             │ evidence     1 commit · 1 file · +1 box
    ○ 日本語の文書                                   │   ## Step 1                                                                                        │              src/a.ts
    ○ Release                                        │                                                                                                    │
                                                     │   I **read** \`src/a.ts\` and wrote the parser.                                                      │ Activity
    Bounds                              resets 13:00 │     Edit src/a.ts +2 -1 1.0 s                                                                      │ 12:00:00 · run 0007-20260304-120000 began
    calls/hour   ╌╌╌╌╌╌╌╌ 3 of 100                   │     $ npm test ✓ 1.0 s                                                                             │ 12:00:09 ✓ 1: Progress: 2 files changed, 1 box …
    iterations   ━━━╌╌╌╌╌ 3 of 8                     │   ✓ Progress: 2 files changed, 1 box ticked.                                                       │ 12:00:18 ✓ 2: Progress: 1 files changed, 1 box …
    cost         ━╌╌╌╌╌╌╌ $0.84 of $5.00             │     1 min 35 s · 12.3k tokens · $0.42                                                              │ 12:00:22 · for the next prompt: Use yargs
                                                     │                                                                                                    │
    Circuit breaker                           CLOSED │ Iteration 2 ────────────────────────────────────────────────  plan 1/5                             │
    idle         ○○○      0 of 3                     │   ## Step 2                                                                                        │
    same error   ●○○○○    1 of 5                     │                                                                                                    │
    timed out    ○○       0 of 2                     │   I **read** \`src/a.ts\` and wrote the parser.                                                      │
                                                     │     Edit src/a.ts +2 -1 1.0 s                                                                      │
    Iterations                                     2 │     $ npm test ✓ 1.0 s                                                                             │
    tokens       ██                          12.3k   │   ✓ Progress: 1 files changed, 1 box ticked.                                                       │
    cost         ██                          $0.42   │     1 min 35 s · 12.3k tokens · $0.42                                                              │
    files        █▅                          1       │                                                                                                    │
                                                     │ Iteration 3 ────────────────────────────────────────────────  plan 2/5                             │
                                                     │     $ rm -rf / ✗ 1.0 s                                                                             │
                                                     │       ✗ Permission denied                                                                          │
                                                     │   ✉ For the next prompt: Use yargs                                                                 │
    p pause  s stop  a abort  + one more  t tell  enter iterations  d changes  / search  tab plan  ? help  q leave
    "
  `);
});

test("the dashboard shows help, the list of iterations, and the question before an abort", () => {
  expect(screen(60, 28, { mode: "help" })).toMatchInlineSnapshot(`
    "
    ralph  greeter        Claude Code · opus · bypassPermissions
    ⠋ iteration 3 of 8  11 s         24.6k tokens · $0.84 · 30 s
    ────────────────────────────────────────────────────────────
    Keys                                                10 below

    The run
     p         pause after it, and go on
     s         stop after this iteration
     w         take the stop back
     a         end the agent now (asks)
     +         allow one more iteration
     t         tell the agent something

    Look
     enter     iterations; a task's details
     ← →       the iteration before, after
     d         what was changed
     v         what tools answered, too
     r         another run

    Move
     ↑ ↓ j k   a line; the wheel, too
     PgUp PgDn a page
     g G       the beginning; the end
     tab       the plan, the activity
     z         this panel, whole screen
     esc       one step back
    p pause  s stop  a abort  + one more  ? help  q leave
    "
  `);
  expect(screen(80, 18, { mode: "list", selected: 2 })).toMatchInlineSnapshot(`
    "
    ralph  greeter                            Claude Code · opus · bypassPermissions
    ⠋ iteration 3 of 8  11 s                  24.6k tokens · $0.84 · 30 s · run 0007
    ────────────────────────────────────────────────────────────────────────────────
    plan   ━━━━╌╌╌╌╌╌ 2/5  → Greet by name
    bounds calls 3/100 · iterations 3/8 · $0.84 of $5
    breaker CLOSED · idle 0/3 · same error 1/5
    last   ✓ Progress: 1 files changed, 1 box ticked.
    tokens ██
    ────────────────────────────────────────────────────────────────────────────────
    Iterations                               enter opens · d changes · esc goes back
      ✓    1  1 min 35 s   12.3k    $0.42  Progress: 2 files changed, 1 box ticked.
    › ✓    2  1 min 35 s   12.3k    $0.42  Progress: 1 files changed, 1 box ticked.
      •    3        11 s       0  under way




    p pause  s stop  a abort  + one more  t tell  ? help  q back
    "
  `);
  expect(screen(80, 12, { mode: "abort" }).trimEnd().split("\n").at(-1)).toBe(
    "End the agent now, in the middle of its work?  y yes · any other key no",
  );
});

test.each([
  [60, "End the agent now?  y yes · any other key no"],
  [40, "End the agent now?  y yes · else no"],
  [20, "End it now?  y yes"],
])("which key ends the agent stands on %p columns, too", (width, question) => {
  expect(screen(width, 12, { mode: "abort" }).trimEnd().split("\n").at(-1)).toBe(question);
});

test("help can be scrolled to its end on 40 columns by 12", () => {
  const at = (top: number) => screen(40, 12, { mode: "help", top }).split("\n");
  expect(at(0).join("\n")).toMatchInlineSnapshot(`
    "
    ralph  greeter
    ⠋ iteration 3 of 8  11 s    24.6k tokens
    ────────────────────────────────────────
    Keys                            26 below

    The run
     p         pause after it, and go on
     s         stop after this iteration
     w         take the stop back
     a         end the agent now (asks)
     +         allow one more iteration
    p pause  s stop  ? help  q leave
    "
  `);
  const words = [0, 6, 12, 18, 24, 30, 36].flatMap((top) => at(top).slice(5, -2)).join(" ");
  for (const said of ["allow one more iteration", "leave: that stops nothing"]) expect(words).toContain(said);
  expect(words).not.toContain("…");
});

test("a message to the agent that is too long is marked while it is typed", () => {
  const line = (text: string) =>
    screen(60, 12, { entry: { purpose: "say", text } })
      .trimEnd()
      .split("\n")
      .at(-1);
  expect(line("x".repeat(2000))).toStartWith("tell the agent: x");
  expect(line("x".repeat(2012))).toStartWith("12 characters too long: x");
});

test("the dashboard of a stopping run offers the key that withdraws the stop", () => {
  const stopping = applyEvent(dashboard, { ...envelope, type: "stop_requested", how: "after_iteration", by: "user" });
  const shown = screen(80, 24, {}, { dashboard: stopping });
  expect(shown).toContain("w withdraw the stop");
  expect(shown).not.toContain("s stop");
});

test("the dashboard of a run that stops at once offers no key that comes too late", () => {
  const ending = applyEvent(dashboard, { ...envelope, type: "stop_requested", how: "now", by: "user" });
  const last = screen(120, 24, {}, { dashboard: ending }).trimEnd().split("\n").at(-1);
  expect(last).toBe("t tell  enter iterations  d changes  / search  tab plan  ? help  q leave");
});

test.each(["list", "runs", "task"] as const)("the last line of the pane %p names only keys that work there", (mode) => {
  const last = screen(120, 30, { mode, selected: 2 }).trimEnd().split("\n").at(-1);
  expect(last).toBe("p pause  s stop  a abort  + one more  t tell  ? help  q back");
});

test.each([40, 120])("in %i columns a box that was ticked just now counts, as the next task says", (columns) => {
  const counts = { ...plan.counts, checked: 3, unchecked: 2, blocking_unchecked: 1 };
  const shown = screen(columns, 40, {}, { plan: { ...plan, counts } });
  expect(shown).toMatch(columns === 40 ? /plan +\S+ 3\/5/ : /Plan +3 of 5/);
});

test.each([40, 120])("in %i columns a finished run does not show tasks that its plan got after its end", (columns) => {
  const { state } = dashboard;
  const finished = { reason: "max_iterations", exit_code: 4, sentence: "", at: state.updated_at } as const;
  const over = { ...dashboard, state: { ...state, plan: plan.counts, finished } };
  const shown = (of: typeof plan) => screen(columns, 40, {}, { dashboard: over, plan: of, alive: false });
  expect(shown(plan)).toContain("Greet by name");
  const grown = { ...plan, counts: { ...plan.counts, total: 6, unchecked: 4, blocking_unchecked: 4 } };
  expect(shown(grown)).not.toContain("Greet by name");
  expect(shown(grown)).toMatch(/2 of 5|2\/5/);
});

test("a run that broke off lasted until its newest event, not until something was said to the next one days later", () => {
  const shown = (of: typeof dashboard) => screen(120, 40, {}, { dashboard: of, alive: false });
  const { run, updated_at } = dashboard.state;
  const later = { ...envelope, at: new Date(Date.parse(updated_at) + 48 * 3_600_000).toISOString() };
  const found: RalphEvent = {
    ...later,
    run,
    type: "run_recovered",
    of_run: run,
    interrupted_iteration: null,
    ended_processes: [],
  };
  const said: RalphEvent = { ...later, run, type: "said", text: "Use yargs." };
  const told = [found, said].reduce(applyEvent, dashboard);
  const times = (text: string) => text.match(/\d+ h\b/g);
  expect(times(shown(told))).toEqual(times(shown(dashboard)));
});

test("the dashboard names its iterations by their work", () => {
  const last = runningRun.findLast((event) => event.type === "iteration_finished");
  if (last?.type !== "iteration_finished") throw new Error("no iteration is finished");
  const evidence = { ...last.evidence, subject: "feat: greet everybody" };
  const named = applyEvent(dashboard, { ...last, evidence, iteration: 3, seq: 99 });
  expect(screen(120, 40, { mode: "list", selected: 3 }, { dashboard: named })).toContain("feat: greet everybody");
});

test("the dashboard of a task has its text as title", () => {
  const task = { ...dashboard, state: { ...dashboard.state, task: "Mend\nthe tests" } };
  expect(screen(80, 24, {}, { dashboard: task })).toContain("ralph  Mend the tests");
});

test("the dashboard of an import offers no steering keys", () => {
  const importing = { ...dashboard, state: { ...dashboard.state, started_by: "import" } as const };
  const shown = [
    screen(100, 30, {}, { dashboard: importing }),
    screen(100, 30, { mode: "help" }, { dashboard: importing }),
  ];
  for (const text of shown) {
    expect(text).toMatch(/\bq leave|q +leave/);
    expect(text).not.toMatch(/p pause|pause after|stop after|abort|tell the agent/);
  }
  expect(screen(100, 30, {}, { dashboard: importing, alive: false })).toContain("ralph import begins again");
});

test("the times of a dead run and its tools stop counting", () => {
  const bounded = { ...dashboard.state, settings: { ...dashboard.state.settings, MAX_TIME: 120 } };
  const working = applyEvent({ ...dashboard, state: bounded }, toolStarted);
  const gone = (now: number) => screen(120, 36, {}, { dashboard: working, alive: false, now });
  expect(gone(START + 30 * SECOND)).toContain("time         ╌╌╌╌╌╌╌╌ 20 s of 2 h");
  expect(gone(START + 1000 * SECOND)).toBe(gone(START + 30 * SECOND));
});

test("the dashboard without a run is nearly empty", () => {
  expect(
    screen(60, 8, {}, { dashboard: emptyDashboard("/home/user/greeter"), alive: false, plan: null }),
  ).toMatchInlineSnapshot(`
    "
    ralph  greeter
    Waiting for a run. Start one with: ralph
    ────────────────────────────────────────────────────────────




    ? help  q leave
    "
  `);
});

describe("every frame", () => {
  const sizes = [10, 20, 39, 40, 60, 99, 100, 159, 160, 240].flatMap((columns) =>
    [1, 2, 5, 10, 24, 60].map((rows) => [columns, rows] as const),
  );
  test.each(sizes)("of %d by %d fits in every mode", (columns, rows) => {
    for (const mode of ["main", "list", "help", "abort"] as const) {
      const lines = screen(
        columns,
        rows,
        { mode, detail: true, filter: mode === "main" ? "" : "a" },
        { partial: "日本語\nwide\u001b[2J" },
      )
        .slice(1, -1)
        .split("\n");
      expect(lines.length).toBeLessThanOrEqual(rows);
      for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
      expect(lines.join("")).not.toContain("\u001b");
    }
  });
});

test("the dashboard's output can be scrolled, filtered, and shown in detail", () => {
  const filtered = screen(80, 24, { filter: "NPM", onlyMatches: true });
  expect(filtered.match(/npm test/g)).toHaveLength(2);
  expect(filtered.match(/^Iteration \d/gm)).toEqual(["Iteration 1", "Iteration 2"]);
  expect(filtered).not.toContain("Edit");
  expect(screen(80, 24, { filter: "nowhere" })).toContain("No line has these words. esc shows all.");
  expect(screen(80, 24, { detail: true })).toContain("12 pass");
  expect(screen(80, 24, { bottom: 12 })).toMatch(/\d+ below/);
});

describe("the reader's position", () => {
  const at = (n: number) => ({ v: 1, seq: n, at: new Date(START + n).toISOString(), run: "r", iteration: 1 }) as const;
  const says = (n: number): RalphEvent => {
    const text = `event ${n} ${"and some words more ".repeat(n % 7)}`;
    return { ...at(n), type: "agent_text", call: 1, text };
  };
  const first = following(dashboard, 100, 1000);

  /** The last event on the screen of a user who scrolled up a little, and then after each change. */
  function readsAfter(changes: readonly Partial<FrameInput>[], filter = ""): string[] {
    let ui: Ui = { ...initialUi(), filter };
    let reading: FrameInput["reading"] = null;
    const output = createOutputLines();
    const draw = (more: Partial<FrameInput>) => {
      const shown = frame({
        ...given,
        dashboard: first,
        size: { columns: 80, rows: 30 },
        output,
        ui,
        reading,
        ...more,
      });
      reading = shown.reading;
      if (ui.bottom !== null) ui = { ...ui, bottom: shown.reading?.bottom ?? null };
      return { ...shown, events: shown.lines.flatMap((line) => /event \d+/.exec(line)?.[0] ?? []) };
    };
    const { total } = draw({});
    ui = { ...ui, bottom: total - 10 };
    const before = draw({}).events.at(-1) ?? "";
    return [before, ...changes.map((change) => draw(change).events.at(-1) ?? "")];
  }

  function following(from: Dashboard, begin: number, count: number): Dashboard {
    return Array.from({ length: count }, (_, n) => says(begin + n)).reduce(applyEvent, from);
  }

  const more = following(first, 1100, 60);
  const soMuch = following(more, 1160, 150);
  test.each([
    ["while more comes", [{ dashboard: more }], ""],
    ["when the oldest lines go", [{ dashboard: more }, { dashboard: soMuch }], ""],
    ["when the oldest filtered lines go", [{ dashboard: soMuch }], "7 and"],
    ["when the terminal is resized", [{ size: { columns: 50, rows: 30 } }, { size: { columns: 80, rows: 30 } }], ""],
    [
      "while help is shown",
      [{ ui: { ...initialUi(), mode: "help", bottom: 1 }, dashboard: soMuch }, { dashboard: soMuch }],
      "",
    ],
  ] as const)("stays put %s", (_, changes, filter) => {
    const [before = "", ...after] = readsAfter(changes, filter);
    expect(before).toStartWith("event");
    expect(new Set(after.filter((event) => event !== ""))).toEqual(new Set([before]));
  });

  test("moves to the oldest line if its own is gone", () => {
    const [, after = ""] = readsAfter([{ dashboard: following(soMuch, 1310, 2000) }]);
    expect(Number(after.split(" ")[1])).toBeGreaterThan(1310);
  });
});

test("a running tool is below the output, with its time", () => {
  const working = applyEvent(dashboard, toolStarted);
  expect(screen(80, 24, {}, { dashboard: working })).toContain("\n    $ npm run build … 10 s\n");
  expect(screen(80, 24, {}, { dashboard: working, opened: [] })).not.toContain("npm run build");
});

test("the clock of a dead run stands still", () => {
  const gone = (now: number) => screen(120, 36, {}, { alive: false, now }).split("\n")[2];
  expect(gone(START + 30 * SECOND)).toContain("✗ broke off");
  expect(gone(START + 90 * SECOND)).toBe(gone(START + 30 * SECOND));
});

test.each([40, 80, 120])("the dashboard of %d columns shows what the last answer was denied", (columns) => {
  const { state } = dashboard;
  if (state.last === null) throw new Error("an iteration is finished");
  const verdict = { rule: "permission_denied", sentence: "Denied: Bash(rm x); nothing changed." } as const;
  const denied = { ...dashboard, state: { ...state, last: { ...state.last, verdict } } };
  expect(screen(columns, 36, {}, { dashboard: denied })).toContain("Denied: Bash(rm x)");
});

test("the dashboard leaves out figures of zero", () => {
  const { state } = dashboard;
  if (state.last === null) throw new Error("an iteration is finished");
  const evidence = { ...state.last.evidence, commits: [], files_changed: [], files_changed_count: 0, plan_delta: 0 };
  const idle = { ...dashboard, state: { ...state, last: { ...state.last, evidence } } };
  const shown = screen(120, 40, {}, { dashboard: idle });
  expect(shown).toContain("evidence     nothing changed");
  expect(shown).not.toMatch(/\b0 (files|commits)/);
});
