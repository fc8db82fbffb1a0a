import { describe, expect, test } from "bun:test";
import stringWidth from "string-width";
import { emptyFrame, frame } from "../../../src/view/dashboard/frame.ts";
import type { FrameInput } from "../../../src/view/dashboard/frame-input.ts";
import { createOutputLines } from "../../../src/view/dashboard/output-lines.ts";
import { parseKeys } from "../../../src/view/dashboard/parse-keys.ts";
import { type ReplayFacts, speedText } from "../../../src/view/dashboard/replay-index.ts";
import { onReplayKey } from "../../../src/view/dashboard/replay-keys.ts";
import { initialUi, type OnScreen, type Ui } from "../../../src/view/dashboard/ui-state.ts";
import { stateOf } from "../../core/given.ts";
import { given } from "./frame-given.ts";

const playing: ReplayFacts = { speed: 4, isPaused: false, isOver: false, share: 0.43 };

function screen(columns: number, rows: number, replay = playing, ui: Partial<Ui> = {}, more: Partial<FrameInput> = {}) {
  return frame({
    ...given,
    ui: { ...initialUi(), ...ui },
    size: { columns, rows },
    readOnly: "This is a replay: there is nothing to steer.",
    replay,
    output: createOutputLines(),
    ...more,
  }).lines;
}

const text = (lines: readonly string[]) => `\n${lines.join("\n")}\n`;

test("the replay in 40 columns", () => {
  expect(text(screen(40, 20))).toMatchInlineSnapshot(`
    "
    REPLAY  greeter     ▶ 4×  43 %  12:00:30
    ⠋ iteration 3 of 8  11 s    24.6k tokens
    ────────────────────────────────────────
    plan   ━━━━╌╌╌╌╌╌ 2/5
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
    space pause  → step  ? help  q leave
    "
  `);
});

test("the replay in 80 columns", () => {
  expect(text(screen(80, 24))).toMatchInlineSnapshot(`
    "
    REPLAY  greeter                                  ▶ 4×  ━━━━╌╌╌╌╌╌ 43 %  12:00:30
    ⠋ iteration 3 of 8  11 s                  24.6k tokens · $0.84 · 30 s · run 0007
    ────────────────────────────────────────────────────────────────────────────────
    plan   ━━━━╌╌╌╌╌╌ 2/5
    bounds calls 3/100 · iterations 3/8 · $0.84 of $5
    breaker CLOSED · idle 0/3 · same error 1/5
    last   ✓ Progress: 1 files changed, 1 box ticked.
    tokens ██
    ────────────────────────────────────────────────────────────────────────────────
    Output
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
    space pause  → step  ← iteration  + - speed  g jump  ? help  q leave
    "
  `);
});

test("the replay in 200 columns", () => {
  expect(text(screen(200, 30))).toMatchInlineSnapshot(`
    "
    REPLAY  greeter                                                                                                                                                          ▶ 4×  ━━━━╌╌╌╌╌╌ 43 %  12:00:30
    ⠋ iteration 3 of 8  11 s                                                                                                                                          24.6k tokens · $0.84 · 30 s · run 0007
    ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────
    Plan                                      2 of 5 │ Output                                                                                             │ Last answer             iteration 2 · 1 min 35 s
    ━━━━━━━━━━━━━━━━━━━╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌ │ /project                                                                                           │ ✓ Progress: 1 files changed, 1 box ticked.
    and 2 done, 3 open, not named in the journal     │ at most 8 iterations, $5.00 · 100 calls an hour                                                    │ says         IN_PROGRESS · tests PASSING ·
                                                     │                                                                                                    │              confidence 40
    Bounds                              resets 13:00 │ Iteration 1 ────────────────────────────────────────────────  plan 0/5                             │ evidence     1 commit · 1 file · +1 box
    calls/hour   ╌╌╌╌╌╌╌╌ 3 of 100                   │   ## Step 1                                                                                        │              src/a.ts
    iterations   ━━━╌╌╌╌╌ 3 of 8                     │                                                                                                    │
    cost         ━╌╌╌╌╌╌╌ $0.84 of $5.00             │   I **read** \`src/a.ts\` and wrote the parser.                                                      │ Activity
                                                     │     Edit src/a.ts +2 -1 1.0 s                                                                      │ 12:00:00 · run 0007-20260304-120000 began
    Circuit breaker                           CLOSED │     $ npm test ✓ 1.0 s                                                                             │ 12:00:09 ✓ 1: Progress: 2 files changed, 1 box …
    idle         ○○○      0 of 3                     │   ✓ Progress: 2 files changed, 1 box ticked.                                                       │ 12:00:18 ✓ 2: Progress: 1 files changed, 1 box …
    same error   ●○○○○    1 of 5                     │     1 min 35 s · 12.3k tokens · $0.42                                                              │ 12:00:22 · for the next prompt: Use yargs
    timed out    ○○       0 of 2                     │                                                                                                    │
                                                     │ Iteration 2 ────────────────────────────────────────────────  plan 1/5                             │
    Iterations                                     2 │   ## Step 2                                                                                        │
    tokens       ██                          12.3k   │                                                                                                    │
    cost         ██                          $0.42   │   I **read** \`src/a.ts\` and wrote the parser.                                                      │
    files        █▅                          1       │     Edit src/a.ts +2 -1 1.0 s                                                                      │
                                                     │     $ npm test ✓ 1.0 s                                                                             │
                                                     │   ✓ Progress: 1 files changed, 1 box ticked.                                                       │
                                                     │     1 min 35 s · 12.3k tokens · $0.42                                                              │
                                                     │                                                                                                    │
                                                     │ Iteration 3 ────────────────────────────────────────────────  plan 2/5                             │
                                                     │     $ rm -rf / ✗ 1.0 s                                                                             │
                                                     │       ✗ Permission denied                                                                          │
                                                     │   ✉ For the next prompt: Use yargs                                                                 │
    space pause  → step  ← iteration  + - speed  g jump  enter iterations  d changes  / search  tab plan  ? help  q leave
    "
  `);
});

test("the replay paused, at its end, with the jump prompt, and with help", () => {
  const edges = (lines: readonly string[]) => [lines[0] ?? "", lines.at(-1) ?? ""];
  expect(text(edges(screen(80, 24, { ...playing, isPaused: true })))).toMatchInlineSnapshot(`
    "
    REPLAY  greeter                           ⏸ paused 4×  ━━━━╌╌╌╌╌╌ 43 %  12:00:30
    space go on  → step  ← iteration  + - speed  g jump  ? help  q leave
    "
  `);
  expect(text(edges(screen(80, 24, { ...playing, isOver: true, share: 1 })))).toMatchInlineSnapshot(`
    "
    REPLAY  greeter                                ■ end  ━━━━━━━━━━ 100 %  12:00:30
    ← iteration  + - speed  g jump  enter iterations  d changes  ? help  q leave
    "
  `);
  expect(text(edges(screen(80, 24, playing, { entry: { purpose: "jump", text: "12" } })))).toMatchInlineSnapshot(`
    "
    REPLAY  greeter                                  ▶ 4×  ━━━━╌╌╌╌╌╌ 43 %  12:00:30
    iteration: 12▏
    "
  `);
  expect(text(screen(60, 20, playing, { mode: "help" }).slice(7))).toMatchInlineSnapshot(`
    "
     → n       pause; show the next step
     ←         the iteration before
     + -       twice, or half, as fast
     g         jump to an iteration

    Look
     enter     iterations; a task's details
     d         what was changed
     v         what tools answered, too

    Move
     ↑ ↓ j k   a line; the wheel, too
    space pause  → step  ← iteration  + - speed  ? help  q leave
    "
  `);
});

test.each([1, 7, 10, 20, 28, 39, 40, 60, 99, 100, 160, 240])("the replay fits into %d columns", (columns) => {
  for (const rows of [1, 3, 10, 40])
    for (const mode of ["main", "list", "help"] as const) {
      const lines = screen(columns, rows, { ...playing, isPaused: true }, { mode });
      expect(lines.length).toBeLessThanOrEqual(rows);
      for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns);
    }
});

describe("keys of a replay", () => {
  const on: OnScreen = {
    ...emptyFrame(),
    state: stateOf(),
    iterations: [1, 2, 3],
    total: 100,
    page: 20,
    runs: null,
    alive: true,
    readOnly: "This is a replay: there is nothing to steer.",
  };
  const typed = (keys: string, from: Partial<Ui> = {}) => {
    let ui: Ui = { ...initialUi(), ...from };
    let message: string | null = null;
    const actions: unknown[] = [];
    for (const key of parseKeys(keys)) {
      const answer = onReplayKey(ui, key, on);
      ui = answer.ui;
      message = answer.message;
      if (answer.action !== null) actions.push(answer.action);
    }
    return { ui, actions, message };
  };

  test.each([
    [" ", { command: "play", key: "toggle" }],
    ["n", { command: "play", key: "step" }],
    ["\u001b[C", { command: "play", key: "step" }],
    ["\u001bOD", { command: "play", key: "previous" }],
    ["+", { command: "play", key: "faster" }],
    ["-", { command: "play", key: "slower" }],
    ["g12\r", { command: "jump", iteration: 12 }],
    ["g1x9\u007f2\r", { command: "jump", iteration: 12 }],
    ["\r\u001b[A\r", { command: "jump", iteration: 2 }],
    ["q", { command: "leave" }],
    ["g\u0003", { command: "leave" }],
  ])("%j cause their action", (keys, action) => expect(typed(keys).actions).toEqual([action]));

  test.each(["g\r", "g12\u001b", "/ n+\r", "v", "?x"])("%j cause no action", (keys) => {
    expect(typed(keys)).toMatchObject({ actions: [], message: null, ui: { entry: null } });
  });

  test("n goes from match to match while something is searched", () => {
    expect(typed("/npm\rn")).toMatchObject({ actions: [], message: "No line has these words." });
  });

  test("the list of runs is not offered, and an iteration to come has no changes", () => {
    expect(typed("r")).toMatchObject({ actions: [], message: "A replay shows one run." });
    expect(typed("\rd")).toMatchObject({ actions: [], ui: { mode: "list", changes: null } });
  });

  test.each(["p", "s", "a", "t"])("%s answers that there is nothing to steer", (key) => {
    expect(typed(key)).toMatchObject({ actions: [], message: "This is a replay: there is nothing to steer." });
  });
});

test.each([
  [1, "1×"],
  [0.125, "⅛×"],
  [0.5, "½×"],
  [2.5, "2.5×"],
  [64, "64×"],
])("a speed of %d is shown as %s", (speed, words) => expect(speedText(speed)).toBe(words));
