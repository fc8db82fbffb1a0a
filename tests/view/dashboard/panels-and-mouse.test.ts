import { describe, expect, test } from "bun:test";
import stringWidth from "string-width";
import type { RalphEvent } from "../../../src/core/journal/event.ts";
import { parsePlan } from "../../../src/core/plan/fix-plan.ts";
import { type Frame, frame } from "../../../src/view/dashboard/frame.ts";
import type { FrameInput } from "../../../src/view/dashboard/frame-input.ts";
import { applyEvent, type Dashboard, emptyDashboard, iterationNumbers } from "../../../src/view/dashboard/model.ts";
import { createOutputLines } from "../../../src/view/dashboard/output-lines.ts";
import { parseKeys } from "../../../src/view/dashboard/parse-keys.ts";
import { onKey } from "../../../src/view/dashboard/ui.ts";
import { type Action, initialUi, type OnScreen, showsSame, type Ui } from "../../../src/view/dashboard/ui-state.ts";
import { style } from "../../../src/view/text/style.ts";
import { runningRun, SECOND, START } from "../sample-run.ts";
import { given as sampleGiven } from "./frame-given.ts";

const NAMES = Array.from({ length: 40 }, (_, n) => `Task number ${n + 1}`);
const longPlan = parsePlan(NAMES.map((name, n) => `- [${n < 2 ? "x" : " "}] ${name}`).join("\n"), []);

/** The sample run with a plan of 40 tasks, whose iterations say which of them they ticked. */
const events: RalphEvent[] = runningRun.map((event) => {
  if (event.type === "iteration_started")
    return { ...event, task: NAMES[event.number - 1] ?? "", plan: longPlan.counts };
  if (event.type !== "iteration_finished") return event;
  const ticked = NAMES[event.iteration - 1];
  const evidence = { ...event.evidence, plan: longPlan.counts, plan_ticked: ticked === undefined ? [] : [ticked] };
  return { ...event, evidence };
});
const dashboard = events.reduce(applyEvent, emptyDashboard("/project"));

const given = { ...sampleGiven, dashboard, plan: longPlan };

type Session = {
  type(keys: string): Session;
  text(): string;
  ui(): Ui;
  actions: Action[];
  message(): string | null;
  drawn(): Frame;
};

/** A user before a screen: each key is handled with what the frame before it showed. */
function session(columns: number, rows: number, more: Partial<FrameInput> = {}, first: Partial<Ui> = {}): Session {
  const output = createOutputLines();
  let ui: Ui = { ...initialUi(), ...first };
  let message: string | null = null;
  const actions: Action[] = [];
  let drawn: Frame | null = null;
  const draw = (): Frame => {
    const reading = drawn?.reading ?? null;
    const input = { ...given, ui, size: { columns, rows }, output, ...more, reading };
    drawn = frame(input);
    if (ui.bottom !== null) ui = { ...ui, bottom: drawn.reading?.bottom ?? null };
    return drawn;
  };
  draw();
  const self: Session = {
    actions,
    type(keys) {
      for (const key of parseKeys(keys)) {
        const shown = drawn ?? draw();
        const shownRun = more.dashboard ?? dashboard;
        const on: OnScreen = {
          ...shown,
          state: shownRun.state,
          iterations: iterationNumbers(shownRun),
          runs: (more.runs ?? []).map(({ run }) => run),
          alive: true,
          readOnly: null,
        };
        const answer = onKey(ui, key, on);
        if (!showsSame(ui, answer.ui)) drawn = { ...shown, reading: null };
        ui = answer.ui;
        message = answer.message;
        if (answer.action !== null) actions.push(answer.action);
        draw();
      }
      return self;
    },
    text: () => draw().lines.join("\n"),
    ui: () => ui,
    message: () => message,
    drawn: draw,
  };
  return self;
}

const wheel = (column: number, row: number, by: "up" | "down", times = 1) =>
  `\u001b[<${by === "up" ? 64 : 65};${column};${row}M`.repeat(times);
const click = (column: number, row: number) => `\u001b[<0;${column};${row}M\u001b[<0;${column};${row}m`;
const rowOf = (user: Session, text: string | RegExp) => {
  const row = user
    .drawn()
    .lines.findIndex((line) => (typeof text === "string" ? line.includes(text) : text.test(line)));
  if (row === -1) throw new Error(`not on the screen: ${text}\n${user.text()}`);
  return row + 1;
};

describe("the panel of the plan", () => {
  test("shows done, current and open tasks, what they took, and how many more there are", () => {
    const text = session(120, 40).text();
    expect(text).toMatch(/✓ Task number 2 +1 it\. \$0\.42/);
    expect(text).toContain("→ Task number 3");
    expect(text).toContain("○ Task number 4");
    expect(text).toMatch(/↓ \d+ more/);
  });

  test("uses the free rows of a large screen", () => {
    const tasks = (rows: number) =>
      session(200, rows)
        .text()
        .match(/Task number/g)?.length ?? 0;
    expect(tasks(60)).toBeGreaterThan(tasks(40) + 15);
    expect(session(200, 80).text()).toContain("Task number 40");
  });

  test("can be walked with the keys to its last task, whose details say what is known", () => {
    const user = session(120, 40).type("\tG");
    expect(user.text()).toContain("› ○ Task number 40");
    expect(user.type("\r").text()).toMatch(
      /Task .*esc the plan[\s\S]*Task number 40[\s\S]*No work was done on it yet\./,
    );
    expect(user.type("\u001b").ui()).toMatchObject({ mode: "main", focus: "plan", task: 39 });
    expect(user.type("\u001b").ui()).toMatchObject({ focus: "main" });
  });

  test("opens a finished task with its iterations, cost and files", () => {
    const text = session(120, 40).type("\tgj\r").text();
    expect(text).toContain("Task number 2");
    expect(text).toContain("1 iteration · 1 min 35 s · 12.3k tokens · $0.42 · 1 commit");
    expect(text).toContain("src/a.ts");
  });

  test("leads from a task to its iteration in the list", () => {
    expect(session(120, 40).type("\tgj\r\r").ui()).toMatchObject({ mode: "list", selected: 2 });
  });

  test("takes the place of the output on a narrow screen while it has the keys", () => {
    const user = session(40, 20);
    expect(user.text()).not.toContain("Task number 4");
    expect(user.type("\t").text()).toContain("› → Task number 3");
  });

  test("does not show today's tasks for a finished run that ticked other ones", () => {
    const { state } = dashboard;
    const finished = { reason: "max_iterations", exit_code: 4, sentence: "", at: state.updated_at } as const;
    const over: Dashboard = { ...dashboard, state: { ...state, finished } };
    const swapped = parsePlan(NAMES.map((name, n) => `- [${n === 5 || n === 6 ? "x" : " "}] ${name}`).join("\n"), []);
    const text = session(120, 40, { dashboard: over, plan: swapped, alive: false }).text();
    expect(text).toContain("✓ Task number 2");
    expect(text).not.toContain("Task number 7");
  });

  test("shows of an old run what its journal names, and says how much it does not", () => {
    const text = session(120, 40, { plan: null }).text();
    expect(text).toContain("✓ Task number 1");
    expect(text).toContain("→ Task number 3");
    expect(text).not.toContain("Task number 4");
    expect(text).toMatch(/and 37 open, not named in the journal/);
  });
});

describe("the mouse", () => {
  test("scrolls the panel under it, and no other", () => {
    const user = session(120, 40);
    const before = user.ui();
    user.type(wheel(5, rowOf(user, "Task number 3"), "down", 3));
    expect(user.ui()).toMatchObject({ planTop: 9, bottom: before.bottom, focus: "main" });
    expect(user.text()).toContain("↑");
    expect(user.text()).not.toMatch(/^✓ Task/m);
    user.type(wheel(5, rowOf(user, "Task number"), "up", 20));
    expect(user.text()).toContain("✓ Task number 1");
  });

  test("scrolls the output up, and back to its end", () => {
    const user = session(80, 24);
    user.type(wheel(10, 15, "up"));
    expect(user.ui().bottom).toBeNumber();
    expect(user.text()).toContain("3 below");
    expect(user.type(wheel(10, 15, "down")).ui().bottom).toBeNull();
  });

  test("gives a panel the keys, and opens what is clicked twice", () => {
    const user = session(120, 40);
    const row = rowOf(user, "Task number 4");
    expect(user.type(click(5, row)).ui()).toMatchObject({ focus: "plan", task: 3, mode: "main" });
    expect(user.type(click(5, row)).ui()).toMatchObject({ mode: "task", task: 3 });
  });

  test("selects and opens an iteration in the list", () => {
    const user = session(80, 24).type("\r");
    const row = rowOf(user, /✓ +1 /);
    expect(user.type(click(10, row)).ui()).toMatchObject({ mode: "list", selected: 1 });
    user.type(click(10, row));
    expect(user.actions).toEqual([{ command: "open", iteration: 1 }]);
  });

  test("selects an edit of the output, and shows its change", () => {
    const user = session(120, 50);
    const row = rowOf(user, "Edit src/a.ts");
    expect(user.type(click(60, row)).text()).toContain("›   Edit src/a.ts");
    const text = user.type(click(60, row)).text();
    expect(text).toContain("Change");
    expect(text).toMatch(/- a\n.*\+ b\n.*\+ c/);
  });

  test("on the head and on the last line does nothing", () => {
    const user = session(120, 40);
    const before = user.ui();
    expect(user.type(click(5, 1) + click(5, 40) + wheel(5, 1, "up")).ui()).toEqual(before);
  });
});

describe("the changes", () => {
  test("of the newest iteration are one key away, and the same key leads back", () => {
    const user = session(80, 24).type("d");
    expect(user.actions).toEqual([{ command: "open", iteration: 3 }]);
    expect(user.ui()).toMatchObject({ opened: 3, changes: { seq: null } });
    expect(user.type("d").ui()).toMatchObject({ opened: null, changes: null, mode: "main" });
  });

  test("of an iteration are opened from the list, and esc leads back to it", () => {
    const user = session(80, 24).type("\r\u001b[A");
    user.type("d");
    expect(user.actions).toEqual([{ command: "open", iteration: 2 }]);
    expect(user.type("\u001b").ui()).toMatchObject({ mode: "list", selected: 2, opened: null, changes: null });
  });

  test("are coloured, by file, with what an iteration changed in another way", () => {
    const opened = dashboard.shown.filter(({ event }) => event.iteration === 1);
    const ui = { opened: 1, changes: { seq: null, back: { mode: "main", opened: null, bottom: null } } } as const;
    const text = session(80, 30, { opened, style: style(true) }, { ...ui, bottom: 1 }).text();
    expect(text).toContain("\u001b[31m  - a\u001b[39m");
    expect(text).toContain("\u001b[32m  + b\u001b[39m");
    expect(text).toContain("Also changed, not by an edit: src/b.ts");
  });

  test("of an iteration without edits say so", () => {
    const opened = dashboard.shown.filter(({ event }) => event.iteration === 3);
    const ui = { opened: 3, changes: { seq: null, back: { mode: "main", opened: null, bottom: null } } } as const;
    expect(session(80, 24, { opened }, ui).text()).toContain(
      "The agent's tools report no edit here. All that changed: ralph diff",
    );
  });
});

describe("the search", () => {
  test("goes from match to match in their places, forwards, backwards and round", () => {
    const user = session(120, 50).type("/npm\r");
    expect(user.text()).toContain("/npm 2");
    expect(user.text()).not.toContain("Step 1");
    expect(user.type("n").text()).toContain("/npm 1 of 2");
    expect(user.text()).toContain("›   $ npm test");
    expect(user.text()).toContain("Step 1");
    expect(user.type("n").text()).toContain("/npm 2 of 2");
    expect(user.type("n").text()).toContain("/npm 1 of 2");
    expect(user.type("N").text()).toContain("/npm 2 of 2");
    expect(user.type("\u001b").ui()).toMatchObject({ filter: "", at: null });
  });

  test("marks the words, also across a style", () => {
    const text = session(120, 50, { style: style(true) })
      .type("/STEP\r")
      .text();
    expect(text).toContain("\u001b[7mStep\u001b[27m");
  });

  test("says that nothing matches", () => {
    const user = session(80, 24).type("/nowhere\r");
    expect(user.text()).toContain("No line has these words. esc shows all.");
    expect(user.type("n").message()).toBe("No line has these words.");
  });

  test("without words, n goes from edit to edit, and enter shows the change", () => {
    const user = session(120, 50).type("n");
    expect(user.text()).toContain("›   Edit src/a.ts");
    expect(user.type("\r").text()).toMatch(/Change .*\n.*src\/a\.ts \+2 -1/);
    expect(user.type("\u001b").ui()).toMatchObject({ changes: null, opened: null });
  });
});

describe("one panel on the whole screen", () => {
  test("is the output at first, without the panels beside it", () => {
    const text = session(120, 40).type("z").text();
    expect(text).not.toContain("Circuit breaker");
    expect(text).toContain("Iteration 1");
  });

  test("is the plan or the activity where they have the keys", () => {
    expect(session(120, 40).type("\tz").text()).not.toContain("Circuit breaker");
    const user = session(120, 40).type("\t\tz");
    expect(user.text()).toContain("› Activity");
    expect(user.type("k").ui().activityBelow).toBe(1);
  });
});

describe("what is taken along", () => {
  test("is the selected line, else the lines on the screen, else the selected task", () => {
    const user = session(120, 50);
    expect(user.drawn().copied.length).toBeGreaterThan(10);
    expect(
      user
        .type("n")
        .drawn()
        .copied.map((line) => line.trim()),
    ).toEqual(["Edit src/a.ts +2 -1 1.0 s"]);
    expect(user.type("\t").drawn().copied).toEqual(["Task number 3"]);
    expect(user.type("ye").actions).toEqual([{ command: "copy" }, { command: "edit" }]);
  });
});

describe("the list of runs", () => {
  const receipt = (run: string) => ({
    run,
    started_at: new Date(START).toISOString(),
    ended_at: new Date(START + 60 * SECOND).toISOString(),
    driver: "claude-code",
    display_name: "Claude Code",
    started_by: "cli",
    task: "Mend the tests",
    status: "finished" as const,
    stop_reason: "max_iterations" as const,
    exit_code: 4,
    iterations: 2,
    calls: 2,
    tokens: 1000,
    cost_usd: 0.5,
    earlier: { iterations: 0, cost_usd: null },
    bytes: 10,
  });

  test("opens on its key and shows the chosen run", () => {
    const runs = ["0006-a", "0007-20260304-120000"].map(receipt);
    const user = session(100, 24, { runs }).type("r");
    expect(user.text()).toContain("› 0007");
    expect(user.text()).toContain("Mend the tests");
    user.type("k\r");
    expect(user.actions).toEqual([{ command: "runs" }, { command: "watch", run: "0006-a" }]);
    expect(user.ui().mode).toBe("main");
  });
});

test("help shows all keys in 80 columns by 24 without being cut, and fits with one line less", () => {
  const help = session(80, 24).type("?");
  const text = help.text();
  for (const key of ["p ", "↑ ↓ j k", "g G", "tab", "n N", "r ", "esc", "q  "]) expect(text).toContain(` ${key}`);
  expect(text).toContain("any key closes this");
  expect(session(80, 23).type("?").text()).not.toContain("below");
  expect(text.split("\n").slice(0, -1).join("")).not.toContain("…");
});

test("what an answer says is not cut while rows are free", () => {
  const text = session(120, 50).text();
  expect(text).toContain("confidence 40");
  expect(text).not.toMatch(/says .*…/);
});

describe("frames", () => {
  const places = [
    { focus: "plan" },
    { focus: "activity" },
    { zoom: true, focus: "plan" },
    { mode: "task" },
    { mode: "runs" },
    { changes: { seq: null, back: { mode: "main", opened: null, bottom: null } }, bottom: 1 },
    { filter: "a", onlyMatches: true },
  ] as const;
  const sizes = [10, 20, 40, 80, 99, 100, 120, 160, 200].flatMap((columns) =>
    [1, 2, 5, 12, 24, 60].map((rows) => [columns, rows] as const),
  );
  test.each(sizes)("of %d by %d fit in every view, and their panels lie on the screen", (columns, rows) => {
    for (const place of places) {
      const { lines, regions } = session(columns, rows, {}, place).drawn();
      expect(lines.length).toBeLessThanOrEqual(rows);
      for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
      for (const { left, width } of regions) expect(left + width - 1).toBeLessThanOrEqual(columns);
    }
  });

  test("the plan in 40 columns", () => {
    expect(`\n${session(40, 12, {}, { focus: "plan", task: 2 }).text()}\n`).toMatchInlineSnapshot(`
      "
      ralph  greeter
      ⠋ iteration 3 of 8  11 s    24.6k tokens
      ────────────────────────────────────────
      › Plan                           2 of 40
      ━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌
      ✓ Task number 1              1 it. $0.42
      ✓ Task number 2              1 it. $0.42
      › → Task number 3
      ○ Task number 4
      ○ Task number 5
      ↓ 35 more
      p pause  s stop  ? help  q leave
      "
    `);
  });

  test("a task in 80 columns", () => {
    expect(`\n${session(80, 24, {}, { mode: "task", task: 1 }).text()}\n`).toMatchInlineSnapshot(`
      "
      ralph  greeter                            Claude Code · opus · bypassPermissions
      ⠋ iteration 3 of 8  11 s                  24.6k tokens · $0.84 · 30 s · run 0007
      ────────────────────────────────────────────────────────────────────────────────
      plan   ━╌╌╌╌╌╌╌╌╌ 2/40  → Task number 3
      bounds calls 3/100 · iterations 3/8 · $0.84 of $5
      breaker CLOSED · idle 0/3 · same error 1/5
      last   ✓ Progress: 1 files changed, 1 box ticked.
      tokens ██
      ────────────────────────────────────────────────────────────────────────────────
      Task                            ← → others · enter its iterations · esc the plan

        Task number 2
        done · task 2 of the plan

        1 iteration · 1 min 35 s · 12.3k tokens · $0.42 · 1 commit

        Iterations
        ✓ 2  Task number 2

      ────────────────────────────────────────────────────────────────────────────────
      12:00:09 ✓ 1: Task number 1 · Progress: 2 files changed, 1 box ticked.
      12:00:18 ✓ 2: Task number 2 · Progress: 1 files changed, 1 box ticked.
      12:00:22 · for the next prompt: Use yargs
      p pause  s stop  a abort  + one more  t tell  ? help  q back
      "
    `);
  });

  test("changes beside the plan in 120 columns", () => {
    const opened = dashboard.shown.filter(({ event }) => event.iteration === 1);
    const ui = { opened: 1, changes: { seq: null, back: { mode: "main", opened: null, bottom: null } } } as const;
    expect(`\n${session(120, 40, { opened }, { ...ui, bottom: 1 }).text()}\n`).toMatchInlineSnapshot(`
      "
      ralph  greeter                                                                    Claude Code · opus · bypassPermissions
      ⠋ iteration 3 of 8  11 s                                                          24.6k tokens · $0.84 · 30 s · run 0007
      ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
      Plan                           2 of 40 │ Changes · iteration 1                                                    d back
      ━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌ │ src/a.ts +2 -1
      ✓ Task number 1            1 it. $0.42 │   - a
      ✓ Task number 2            1 it. $0.42 │   + b
      → Task number 3                        │   + c
      ○ Task number 4                        │
      ○ Task number 5                        │   Also changed, not by an edit: src/b.ts
      ○ Task number 6                        │
      ○ Task number 7                        │
      ↓ 33 more                              │
                                             │
      Bounds                    resets 13:00 │
      calls/hour   ╌╌╌╌╌╌╌╌ 3 of 100         │
      iterations   ━━━╌╌╌╌╌ 3 of 8           │
      cost         ━╌╌╌╌╌╌╌ $0.84 of $5.00   │
                                             │
      Circuit breaker                 CLOSED │
      idle         ○○○      0 of 3           │
      same error   ●○○○○    1 of 5           │
      timed out    ○○       0 of 2           │
                                             │
      Last answer   iteration 2 · 1 min 35 s │
      ✓ Progress: 1 files changed, 1 box     │
        ticked.                              │
      says         IN_PROGRESS · tests       │
                   PASSING · confidence 40   │
      evidence     1 commit · 1 file · +1    │
                   box                       │
                   src/a.ts                  │
      ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
      12:00:00 · run 0007-20260304-120000 began
      12:00:09 ✓ 1: Task number 1 · Progress: 2 files changed, 1 box ticked.
      12:00:18 ✓ 2: Task number 2 · Progress: 1 files changed, 1 box ticked.
      12:00:22 · for the next prompt: Use yargs


      p pause  s stop  a abort  + one more  t tell  enter iterations  d changes  / search  tab plan  ? help  q leave
      "
    `);
  });

  test("a search in 200 columns", () => {
    expect(`\n${session(200, 60).type("/npm\rn").text()}\n`).toMatchInlineSnapshot(`
      "
      ralph  greeter                                                                                                                                                    Claude Code · opus · bypassPermissions
      ⠋ iteration 3 of 8  11 s                                                                                                                                          24.6k tokens · $0.84 · 30 s · run 0007
      ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
      Plan                                     2 of 40 │ Output                                                                                 /npm 1 of 2 │ Last answer             iteration 2 · 1 min 35 s
      ━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌ │ ralph 1.0.0  Claude Code · bypassPermissions                                                       │ ✓ Progress: 1 files changed, 1 box ticked.
      ✓ Task number 1                      1 it. $0.42 │ /project                                                                                           │ says         IN_PROGRESS · tests PASSING ·
      ✓ Task number 2                      1 it. $0.42 │ at most 8 iterations, $5.00 · 100 calls an hour                                                    │              confidence 40
      → Task number 3                                  │                                                                                                    │ evidence     1 commit · 1 file · +1 box
      ○ Task number 4                                  │ Iteration 1  Task number 1 ────────────────────────────────  plan 2/40                             │              src/a.ts
      ○ Task number 5                                  │   ## Step 1                                                                                        │
      ○ Task number 6                                  │                                                                                                    │ Activity
      ○ Task number 7                                  │   I **read** \`src/a.ts\` and wrote the parser.                                                      │ 12:00:00 · run 0007-20260304-120000 began
      ○ Task number 8                                  │     Edit src/a.ts +2 -1 1.0 s                                                                      │ 12:00:09 ✓ 1: Task number 1 · Progress: 2 files…
      ○ Task number 9                                  │ ›   $ npm test ✓ 1.0 s                                                                             │ 12:00:18 ✓ 2: Task number 2 · Progress: 1 files…
      ○ Task number 10                                 │   ✓ Task number 1 · Progress: 2 files changed, 1 box ticked.                                       │ 12:00:22 · for the next prompt: Use yargs
      ○ Task number 11                                 │     1 min 35 s · 12.3k tokens · $0.42                                                              │
      ○ Task number 12                                 │                                                                                                    │
      ○ Task number 13                                 │ Iteration 2  Task number 2 ────────────────────────────────  plan 2/40                             │
      ○ Task number 14                                 │   ## Step 2                                                                                        │
      ○ Task number 15                                 │                                                                                                    │
      ○ Task number 16                                 │   I **read** \`src/a.ts\` and wrote the parser.                                                      │
      ○ Task number 17                                 │     Edit src/a.ts +2 -1 1.0 s                                                                      │
      ○ Task number 18                                 │     $ npm test ✓ 1.0 s                                                                             │
      ○ Task number 19                                 │   ✓ Task number 2 · Progress: 1 files changed, 1 box ticked.                                       │
      ○ Task number 20                                 │     1 min 35 s · 12.3k tokens · $0.42                                                              │
      ○ Task number 21                                 │                                                                                                    │
      ○ Task number 22                                 │ Iteration 3  Task number 3 ────────────────────────────────  plan 2/40                             │
      ○ Task number 23                                 │     $ rm -rf / ✗ 1.0 s                                                                             │
      ○ Task number 24                                 │       ✗ Permission denied                                                                          │
      ○ Task number 25                                 │   ✉ For the next prompt: Use yargs                                                                 │
      ○ Task number 26                                 │                                                                                                    │
      ○ Task number 27                                 │                                                                                                    │
      ○ Task number 28                                 │                                                                                                    │
      ○ Task number 29                                 │                                                                                                    │
      ○ Task number 30                                 │                                                                                                    │
      ○ Task number 31                                 │                                                                                                    │
      ○ Task number 32                                 │                                                                                                    │
      ○ Task number 33                                 │                                                                                                    │
      ○ Task number 34                                 │                                                                                                    │
      ○ Task number 35                                 │                                                                                                    │
      ○ Task number 36                                 │                                                                                                    │
      ○ Task number 37                                 │                                                                                                    │
      ○ Task number 38                                 │                                                                                                    │
      ↓ 2 more                                         │                                                                                                    │
                                                       │                                                                                                    │
      Bounds                              resets 13:00 │                                                                                                    │
      calls/hour   ╌╌╌╌╌╌╌╌ 3 of 100                   │                                                                                                    │
      iterations   ━━━╌╌╌╌╌ 3 of 8                     │                                                                                                    │
      cost         ━╌╌╌╌╌╌╌ $0.84 of $5.00             │                                                                                                    │
                                                       │                                                                                                    │
      Circuit breaker                           CLOSED │                                                                                                    │
      idle         ○○○      0 of 3                     │                                                                                                    │
      same error   ●○○○○    1 of 5                     │                                                                                                    │
      timed out    ○○       0 of 2                     │                                                                                                    │
                                                       │                                                                                                    │
      Iterations                                     2 │                                                                                                    │
      tokens       ██                          12.3k   │                                                                                                    │
      cost         ██                          $0.42   │                                                                                                    │
      files        █▅                          1       │                                                                                                    │
      p pause  s stop  a abort  + one more  t tell  enter iterations  d changes  / search  tab plan  ? help  q leave
      "
    `);
  });

  test("help in 80 columns", () => {
    expect(`\n${session(80, 24).type("?").text()}\n`).toMatchInlineSnapshot(`
      "
      ralph  greeter                            Claude Code · opus · bypassPermissions
      ⠋ iteration 3 of 8  11 s                  24.6k tokens · $0.84 · 30 s · run 0007
      ────────────────────────────────────────────────────────────────────────────────
      Keys                                                         any key closes this

      The run                                  Move
       p         pause after it, and go on      ↑ ↓ j k   a line; the wheel, too
       s         stop after this iteration      PgUp PgDn a page
       w         take the stop back             g G       the beginning; the end
       a         end the agent now (asks)       tab       the plan, the activity
       +         allow one more iteration       z         this panel, whole screen
       t         tell the agent something       esc       one step back

      Look                                     Find and take along
       enter     iterations; a task's details   /         search; esc shows all
       ← →       the iteration before, after    n N       next, previous match or edit
       d         what was changed               y         copy the line or the screen
       v         what tools answered, too       e         the file, in your editor
       r         another run
                                               Leave
                                                q         leave: that stops nothing
                                                ?         this help

      p pause  s stop  a abort  + one more  t tell  enter iterations  ? help  q leave
      "
    `);
  });
});
