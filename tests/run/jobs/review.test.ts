/** Reviews: side calls in a session of their own. */
import { describe, expect, test } from "bun:test";
import type { EventOf, RalphEvent } from "../../../src/core/journal/event.ts";
import type { AgentEvent } from "../../../src/driver.ts";
import { loop } from "../../../src/run/jobs/loop.ts";
import { bodiesOf, type Fake, type FakeParts, fakeWorld, finished, type Play } from "../fake-world.ts";

const FINDINGS = `---REVIEW_FINDINGS---
{"severity": "HIGH", "issues_found": 1, "summary": "A secret in the code.", "details": []}
---END_REVIEW_FINDINGS---`;
const works: Play = { says: [finished], changes: ["a.ts"] };
const reviews: Play = {
  says: [
    { type: "session_id", session_id: "review" },
    { type: "finished", ok: true, text: FINDINGS, duration_ms: null, cost_usd: null },
  ],
};

async function reviewed(plays: readonly Play[], parts: FakeParts = {}): Promise<Fake> {
  const fake = fakeWorld({
    ...parts,
    plays,
    driver: { supportsReadOnly: true, ...parts.driver },
    settings: { REVIEW_MODE: "enhanced", REVIEW_INTERVAL: 1, MAX_ITERATIONS: 2, ...parts.settings },
  });
  await fake.run(loop);
  return fake;
}

const calls = (journal: readonly RalphEvent[]) =>
  journal.flatMap((event) =>
    event.type === "agent_started" ? [`${event.purpose} ${event.iteration}-${event.call}`] : [],
  );

describe("a review", () => {
  test("is a call after the iteration whose findings are recorded", async () => {
    const { journal } = await reviewed([works, reviews, works]);
    expect(calls(journal)).toEqual(["main 1-1", "review 1-2", "main 2-1"]);
    expect(bodiesOf(journal, "review_finished")).toMatchObject([
      { call: 2, findings: { severity: "HIGH", issues_found: 1 } },
    ]);
  });

  test("is not made once a bound is reached", async () => {
    const { journal } = await reviewed([works, reviews], { settings: { MAX_ITERATIONS: 1 } });
    expect(calls(journal)).toEqual(["main 1-1"]);
  });

  test("is not made by an agent without read-only calls", async () => {
    const { journal } = await reviewed([works, works], { driver: { supportsReadOnly: false } });
    expect(calls(journal)).toEqual(["main 1-1", "main 2-1"]);
  });

  test("is followed by a new snapshot, so its changes are not progress", async () => {
    const { journal } = await reviewed([works, { ...reviews, changes: ["b.ts"] }, { says: [finished] }]);
    const second = journal.filter(
      (event): event is EventOf<"iteration_finished"> => event.type === "iteration_finished",
    )[1];
    expect(second?.evidence).toMatchObject({ progress: false, files_changed: [] });
  });

  test("leaves the run's session alone", async () => {
    const session: AgentEvent = { type: "session_id", session_id: "work" };
    const { journal } = await reviewed([{ ...works, says: [session, finished] }, reviews, works]);
    expect(bodiesOf(journal, "iteration_started")).toMatchObject([{ resume: null }, { resume: "work" }]);
  });

  test("that fails is recorded with its error line, and the work goes on", async () => {
    const fails: Play = {
      says: [{ type: "error", class: "infrastructure", message: "node:internal/x:1\nError: overloaded" }],
      ends: { outcome: "failed", exitCode: 1 },
    };
    const { journal } = await reviewed([works, fails, works]);
    expect(bodiesOf(journal, "review_finished")).toMatchObject([
      { findings: null, sentence: "The review failed: Error: overloaded." },
    ]);
    expect(calls(journal)).toContain("main 2-1");
  });

  test("that answers without a block has no findings", async () => {
    const { journal } = await reviewed([works, { says: [finished] }, works]);
    expect(bodiesOf(journal, "review_finished")).toMatchObject([
      { findings: null, sentence: "The review's answer has no readable findings." },
    ]);
  });
});

test.each<[string, Play, string]>([
  ["that timed out says so", { ends: { outcome: "timed_out", exitCode: null } }, "timed out"],
  ["that was idle says so", { ends: { outcome: "idle", exitCode: null } }, "idle"],
])("a review %s", async (_name, play, why) => {
  const { journal } = await reviewed([works, play, works]);
  expect(bodiesOf(journal, "review_finished")).toMatchObject([
    { findings: null, sentence: `The review failed: ${why}.` },
  ]);
});

test("a review that found something says what in one sentence", async () => {
  const { journal } = await reviewed([works, reviews, works]);
  expect(bodiesOf(journal, "review_finished")).toMatchObject([
    { sentence: "The review found 1 issue (HIGH): A secret in the code." },
  ]);
});

test("the findings of a failed review are ignored", async () => {
  const { journal } = await reviewed([works, { ...reviews, ends: { outcome: "timed_out", exitCode: null } }, works]);
  expect(bodiesOf(journal, "review_finished")).toMatchObject([{ findings: null }]);
});
