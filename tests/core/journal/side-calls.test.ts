import { expect, test } from "bun:test";
import type { EventBody } from "../../../src/core/journal/event.ts";
import { markSent } from "../../../src/core/prompt/user-messages.ts";
import { after, agentFinished, iterationFinished, iterationStarted, runStarted } from "../state-files/script.ts";

const review: EventBody = { type: "review_started", number: 1, call: 2 };
const limited = agentFinished({ ok: false, outcome: "failed", repeat: "limit" });

test("a limited review counts against no bound, an answered one does", () => {
  const before = [runStarted(), iterationStarted(1), agentFinished(), iterationFinished()];
  const { calls, budget } = after(...before);
  expect(after(...before, review)).toMatchObject({ calls: calls + 1, budget: { calls: budget.calls + 1 } });
  expect(after(...before, review, agentFinished())).toMatchObject({ calls: calls + 1 });
  expect(after(...before, review, limited)).toMatchObject({ calls, budget: { calls: budget.calls } });
});

test("the end of a call without a start leaves the state without a call", () => {
  expect(after(runStarted(), agentFinished()).call).toBeNull();
});

test("a message belongs to the first prompt that contained it", () => {
  const said = [
    { at: "", text: "old", used_in: 3 },
    { at: "", text: "new", used_in: null },
  ];
  expect(markSent(said, 4).map(({ used_in }) => used_in)).toEqual([3, 4]);
});

test.each<[string, string[], string]>([
  ["the first call of an import is for the import", [], "import"],
  ["the call for what an import left out repairs it", ["two"], "repair"],
])("%s", (_name, missing, purpose) => {
  const event: EventBody = { type: "import_started", call: 1, document: "prd.md", missing };
  expect(after(runStarted(), event).call).toMatchObject({ purpose, iteration: 0 });
});
