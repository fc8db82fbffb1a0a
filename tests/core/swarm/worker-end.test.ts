/** What the end of a worker says of the worker. */
import { expect, test } from "bun:test";
import { STOP_REASONS, type StopReason } from "../../../src/core/stop/stop-reasons.ts";
import { futureOf, outcomeOf } from "../../../src/core/swarm/worker-end.ts";
import { NOON, settingsOf, stateOf } from "../given.ts";

const worked = (reason: StopReason) =>
  stateOf({ finished: { reason, exit_code: STOP_REASONS[reason].exit, sentence: "It ended.", at: "" } });
const failed = { name: "w1", isTold: false, worked: null, exit: 7, words: null, deaths: 0 };
const future = (about: Partial<Parameters<typeof futureOf>[0]>, settings = settingsOf()) =>
  futureOf({ ...failed, ...about }, settings, NOON);

test("one that is killed gets another task twice, and then none", () => {
  expect([0, 1, 2].map((deaths) => future({ exit: null, deaths }).next)).toEqual(["died", "died", "none"]);
});

test("one that fails before it begins gets none", () => {
  const sentence = "Worker w1 ended with exit code 7 before it began";
  expect(future({})).toEqual({ next: "none", reason: "agent_unusable", sentence: `${sentence}.` });
  const words = "`git switch` failed: it says why. Mend it.";
  expect(future({ words })).toMatchObject({ sentence: `${sentence}: ${words}` });
});

test("one that did its task and could not hand it in gives it back for that reason, in its words or with the name of its log", () => {
  const done = worked("plan_complete");
  const failed = "it did the task and could not hand it in (exit code 7)";
  expect(outcomeOf(null, done, 7, null)).toEqual({
    outcome: "given_back",
    why: `${failed}: .ralph/logs/worker.log in its worktree says why`,
  });
  expect(outcomeOf(null, done, 7, "A hook refused.").why).toBe(`${failed}: A hook refused.`);
  expect(outcomeOf(null, done, null, null).why).toBe("it ended before it handed in what it did");
  expect(outcomeOf(null, done, 0, null)).toEqual({ outcome: "handed_in", why: "It ended." });
  const stagnated = worked("stagnation_detected");
  expect(outcomeOf(null, stagnated, 3, "unused")).toEqual({ outcome: "given_back", why: "It ended." });
});

test("one at the provider's limit rests where the swarm waits, a quarter of an hour if nobody says how long", () => {
  expect(future({ worked: worked("usage_limit") }, settingsOf({ ON_USAGE_LIMIT: "wait" }))).toEqual({
    next: "rest",
    until: NOON + 15 * 60_000,
  });
  expect(future({ worked: worked("usage_limit") }, settingsOf({ ON_USAGE_LIMIT: "stop" })).next).toBe("none");
});

test("what lies with the task, a bound or the swarm itself costs it nothing", () => {
  for (const reason of ["stagnation_detected", "max_iterations", "max_time"] as const)
    expect(future({ worked: worked(reason) })).toEqual({ next: "task" });
  expect(future({ worked: worked("authentication"), isTold: true })).toEqual({ next: "task" });
  expect(future({ worked: worked("authentication") }).next).toBe("none");
});
