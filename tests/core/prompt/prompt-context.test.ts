import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Analysis } from "../../../src/core/answer/analysis-types.ts";
import { parsePlan } from "../../../src/core/plan/fix-plan.ts";
import { type ContextInput, loopContext, workNote } from "../../../src/core/prompt/prompt-context.ts";
import { closedBreaker } from "../../../src/core/stop/circuit-breaker.ts";
import { seed } from "../../seed.ts";
import { recordOf, stateOf } from "../given.ts";

const input: ContextInput = { number: 7, plan: null, state: stateOf(), resumed: false, projectName: "shop" };
const plan = parsePlan("## Core\n- [x] a\n- [ ] write the cart\n- [ ] b\n", []);
const warning = { ...closedBreaker(), no_progress: 2, state: "half_open", why: "warning" } as const;
const timedOut = { outcome: "timed_out", exit_code: null, ok: false, error: null, ms: 1 } as const;
const refused = {
  outcome: "failed",
  exit_code: 1,
  ok: false,
  error: { class: "request", message: "400 too long" },
  ms: 1,
} as const;

describe("the loop context", () => {
  test("has all facts in their order", () => {
    const state = stateOf({
      breaker: warning,
      last: recordOf({ work_summary: "Wrote\n the basket", asking_questions: true }),
    });
    expect(loopContext({ ...input, plan, state, resumed: true })).toBe(
      "Iteration 7 of an unattended loop on shop, same conversation. Tasks left: 2. " +
        "Circuit breaker HALF_OPEN: 2 iterations changed nothing; change something now. " +
        "You asked a question, but nobody reads along: choose the most careful way yourself, say so, and go on.",
    );
  });
  test("has one sentence at the start", () =>
    expect(loopContext(input)).toBe("Iteration 7 of an unattended loop on shop."));

  const of = (about: Partial<ContextInput>) => loopContext({ ...input, ...about });
  const answer = (about: Partial<Analysis>) => of({ state: stateOf({ last: recordOf(about) }) });
  const cases: [string, string, string][] = [
    ["a complete plan", of({ plan: parsePlan("- [x] a", []) }), "No required task"],
    [
      "one iteration after the cooldown",
      of({ state: stateOf({ breaker: { ...warning, why: "cooldown" } }) }),
      "the loop stops",
    ],
    ["a timeout", of({ state: stateOf({ last: recordOf(), last_call: timedOut }) }), "ran out of time"],
    ["a denial", answer({ has_permission_denials: true }), "not permitted"],
    ["a block", answer({ status: "BLOCKED" }), "blocked"],
    ["the same errors", answer({ is_stuck: true }), "same errors"],
    ["too many tests", of({ state: stateOf({ last: recordOf() }), isTestHeavy: true }), "only ran tests"],
  ];
  for (const [name, context, words] of cases) test(`names ${name}`, () => expect(context).toContain(words));

  test("never exceeds 500 characters, and has no word of a task or an answer, which anyone could read in the list of processes", () => {
    const long = fc.string({ unit: "grapheme", maxLength: 900 });
    const words = fc.stringMatching(/^[a-z]{12,40}( [a-z]{12,40}){0,20}$/);
    fc.assert(
      fc.property(long, words, words, (name, task, summary) => {
        const state = stateOf({ breaker: warning, last: recordOf({ work_summary: summary, asking_questions: true }) });
        const tasks = [{ line: 1, text: task, section: null, optional: false }];
        const context = of({ plan: { ...plan, tasks }, state, projectName: name, number: 123_456, resumed: true });
        expect(context.length).toBeLessThanOrEqual(500);
        expect(context.isWellFormed()).toBe(true);
        for (const fact of ["Iteration 123456", "Tasks left: 2.", "HALF_OPEN", "say so, and go on."])
          expect(context).toContain(fact);
        for (const word of `${task} ${summary}`.split(" ")) expect(context.replace(name, "")).not.toContain(word);
      }),
      { seed, numRuns: 50 },
    );
  });
});

describe("the note about the work", () => {
  const wrote = stateOf({ last: recordOf({ work_summary: "Wrote\n the basket" }) });

  test("names the last answer and the task at hand", () =>
    expect(workNote(wrote, plan, false)).toBe("Last time: Wrote the basket.\nNext task of the plan: write the cart."));

  test("is empty where the conversation holds the answer", () => expect(workNote(wrote, plan, true)).toBe(""));

  test("names the reason of a failed call", () => {
    const state = stateOf({ last: recordOf({ work_summary: "no" }, { outcome: "failed" }), last_call: refused });
    expect(workNote(state, null, true)).toBe("The last call failed: 400 too long.");
  });

  test("is empty at the start, so that the prompt is the user's", () =>
    expect(workNote(stateOf(), plan, false)).toBe(""));
});
