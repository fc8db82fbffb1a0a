import { expect, test } from "bun:test";
import stringWidth from "string-width";
import { reduce } from "../../../src/core/journal/reduce.ts";
import type { State } from "../../../src/core/journal/state.ts";
import { closedBreaker } from "../../../src/core/stop/circuit-breaker.ts";
import { header } from "../../../src/view/dashboard/header.ts";
import type { LiveFooterInput } from "../../../src/view/live/footer.ts";
import { style } from "../../../src/view/text/style.ts";
import { stateOf } from "../../core/given.ts";
import { plan, runningRun, SECOND, START } from "../sample-run.ts";
import { footerOf } from "../shown.ts";

const running = runningRun.reduce(reduce, stateOf());

function status(width: number, state: State = running, more: Partial<LiveFooterInput> = {}): string {
  return footerOf(state, { width, next: plan.tasks[0] ?? null, now: START + 30 * SECOND, ...more }).at(-1) ?? "";
}

test("the status line shows the nearest limit, and drops the least important part first", () => {
  const lines = [200, 120, 100, 80, 60, 40, 30, 12].map((width) => `${width}: ${status(width)}`);
  expect(`\n${lines.join("\n")}\n`).toMatchInlineSnapshot(`
    "
    200: ⠋ iteration 3/8 · 11 s · Greet by name · 24.6k tokens · $0.84 · 97 calls left · breaker CLOSED · stop: same error 1/5
    120: ⠋ iteration 3/8 · 11 s · Greet by name · 24.6k tokens · $0.84 · 97 calls left · breaker CLOSED · stop: same error 1/5
    100: ⠋ iteration 3/8 · 11 s · Greet by na… · 24.6k tokens · $0.84 · 97 calls left · stop: same error 1/5
    80: ⠋ iteration 3/8 · 11 s · Greet by name · $0.84 · stop: same error 1/5
    60: ⠋ iteration 3/8 · 11 s · $0.84 · stop: same error 1/5
    40: ⠋ iteration 3/8 · stop: same error 1/5
    30: ⠋ iteration 3/8 · 11 s
    12: ⠋ iteratio…
    "
  `);
});

test("what a run that broke off used of the bound is not this run's to use, on either screen", () => {
  const goesOn = { ...running, earlier: { ...running.earlier, iterations: 3 } };
  expect(status(200, goesOn)).toContain("iteration 3/5 ·");
  const about = { replay: null, alive: true, now: START + 30 * SECOND, width: 80, style: style(false) };
  expect(header({ state: goesOn, ...about }).join("\n")).toContain("iteration 3 of 5 ");
});

test("a limit close by stands out in words and in colour", () => {
  const near = {
    ...running,
    breaker: { ...closedBreaker(), state: "half_open", why: "warning", no_progress: 2 },
    stop_requested: { how: "after_iteration", by: "user" },
    iterations: 7,
  } as const;
  expect(status(80, near)).toMatchInlineSnapshot(
    `"⠋ iteration 3/8 · 11 s · $0.84 · breaker HALF_OPEN · stop: idle 2/3 · stopping"`,
  );
  expect(status(200, near, { style: style(true) })).toContain("\u001b[33m⠋ iteration 3/8\u001b[39m");
});

test("the status line of a wait keeps the countdown and the time bound that ends it", () => {
  const wait = {
    until: new Date(START + 90 * SECOND).toISOString(),
    why: "usage_limit",
    message: "",
  } as const;
  const waiting = {
    ...running,
    wait,
    settings: { ...running.settings, MAX_COST_USD: null, MAX_TIME: 1 },
  };
  expect(status(100, waiting)).toMatchInlineSnapshot(`"⏸ 1:00 · usage limit · until 12:01:30 · stop: 30 s of 1 min"`);
  expect(status(40, waiting)).toMatchInlineSnapshot(`"⏸ 1:00 · usage limit · until 12:01:30"`);
});

test.each([10, 20, 39, 40, 60, 80, 120, 200])("the status line fits into %d columns", (width) => {
  for (const note of ["", "REPLAY 4x paused"])
    expect(stringWidth(status(width, running, { note }))).toBeLessThan(width);
});

test("where keys are taken the status line says how to see them, and in a pause which one goes on", () => {
  expect(status(60, running, { takesKeys: true })).toMatchInlineSnapshot(
    `"⠋ iteration 3/8 · 11 s · stop: same error 1/5 · ? keys"`,
  );
  const wait = { until: new Date(START).toISOString(), why: "paused", message: "" } as const;
  const paused = { ...running, wait };
  expect([true, false].map((takesKeys) => status(80, paused, { takesKeys }))).toMatchInlineSnapshot(`
    [
      "⏸ Paused · p goes on · ? keys",
      "⏸ Paused · Go on with: ralph resume",
    ]
  `);
});

test("the status line says how much needs a person, on the smallest terminal too, and not in a replay", () => {
  const question = { number: 1, run: "r", iteration: 1, kind: "question", task: null, text: "A or B?", parked: false };
  const asked = { ...running, inbox: { asked: 1, open: [question, question], settled: [] } } as State;
  for (const width of [40, 80, 120, 200]) expect(status(width, asked)).toContain("needs you (2)");
  expect(status(80, asked)).toMatchInlineSnapshot(
    `"⠋ iteration 3/8 · 11 s · $0.84 · stop: same error 1/5 · needs you (2)"`,
  );
  expect(status(200, running)).not.toContain("needs you");
  expect(status(200, asked, { note: "REPLAY" })).not.toContain("needs you");
});

test("the status line of a look says so, and not the run's time as the iteration's", () => {
  const call = { purpose: "look", call: 2, iteration: 3, agent: null } as const;
  expect(status(60, { ...running, open: null, call })).toMatchInlineSnapshot(
    `"⠋ iteration 3/8 · look · $0.84 · stop: same error 1/5"`,
  );
});
