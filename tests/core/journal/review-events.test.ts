import { expect, test } from "bun:test";
import type { EventBody } from "../../../src/core/journal/event.ts";
import { noUsage } from "../../../src/core/journal/usage.ts";
import { after, evidence, iterationFinished, iterationStarted, runStarted } from "../state-files/script.ts";

const changed = { ...evidence, files_changed: ["a.ts"], commits: ["c1"] };
const reviewStarted: EventBody = { type: "review_started", number: 1, call: 2 };

test("the changes of iterations are collected for the next review, each file once", () => {
  const state = after(
    runStarted(),
    iterationStarted(1),
    iterationFinished({ evidence: changed }),
    iterationStarted(2),
    iterationFinished({ evidence: { ...changed, files_changed: ["a.ts", "b.ts"], commits: ["c2"] } }),
  );
  expect(state.review).toMatchObject({ files: ["a.ts", "b.ts"], commits: ["c1", "c2"] });
});

test("the usage of a review counts for the run, not for the work's session", () => {
  const session: EventBody = { type: "agent_session", call: 1, session_id: "s" };
  const usage: EventBody = { type: "agent_usage", call: 2, ...noUsage(), input_tokens: 5, cost_usd: 1 };
  const before = [runStarted(), iterationStarted(1), session, iterationFinished()];
  const reviewed = after(...before, reviewStarted, usage);
  expect(reviewed.session).toEqual(after(...before).session);
  expect(reviewed.usage.input_tokens).toBe((after(...before).usage.input_tokens ?? 0) + 5);
  expect(after(...before, usage).session).not.toEqual(reviewed.session);
});
