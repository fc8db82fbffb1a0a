/** An import: a call that only reads, and a second one for what the first answer omitted. */
import { describe, expect, test } from "bun:test";
import { noFailures } from "../../../src/core/stop/failure-backoff.ts";
import type { AgentEvent, CommandRequest, Driver } from "../../../src/driver.ts";
import { importDocument } from "../../../src/run/jobs/import-document.ts";
import { bodiesOf, type FakeParts, fakeWorld, type Play, plainDriver } from "../fake-world.ts";

const text = (words: string): AgentEvent => ({ type: "text", text: words });
const ends = (words: string): AgentEvent => ({
  type: "finished",
  ok: true,
  text: words,
  duration_ms: null,
  cost_usd: null,
});
const failure: AgentEvent = { type: "error", class: "infrastructure", message: "overloaded" };
const session: AgentEvent = { type: "session_id", session_id: "s" };

/** Imports with an agent that answers in words; "two" is missing until an answer names it. */
async function imported(plays: readonly Play[], parts: FakeParts = {}) {
  const requests: CommandRequest[] = [];
  const driver: Partial<Driver> = {
    buildCommand: (request) => {
      requests.push(request);
      return plainDriver.buildCommand(request);
    },
    ...parts.driver,
  };
  const fake = fakeWorld({ ...parts, plays, driver });
  const result = await fake.run(async (run, agent) => {
    const { answer, calls } = await importDocument(run, agent, {
      document: "prd.md",
      prompt: "Read it.",
      readAnswer: (said) => said.trim().split(/\s+/),
      findGaps: (words) => (words.includes("two") ? null : { missing: ["two"], prompt: "And two?" }),
      merge: (first, second) => [...first, ...second],
    });
    run.finish("import_complete", "");
    return { answer, calls };
  });
  return { ...fake, ...result, requests };
}

describe("an import", () => {
  test("with a complete answer is one call, which only reads", async () => {
    const { answer, calls, requests, journal } = await imported([{ says: [ends("one two")] }]);
    expect([answer, calls.length]).toEqual([["one", "two"], 1]);
    expect(requests).toMatchObject([
      { readOnly: true, partial: false, allowedTools: null, prompt: "Read it.", resume: null },
    ]);
    expect(bodiesOf(journal, "import_started", "agent_started")).toMatchObject([
      { call: 1, document: "prd.md", missing: [] },
      { purpose: "import" },
    ]);
  });

  test("asks once more for omissions, in the same session", async () => {
    const { answer, requests, journal } = await imported([{ says: [session, ends("one")] }, { says: [ends("two")] }]);
    expect(answer).toEqual(["one", "two"]);
    expect(requests[1]).toMatchObject({ prompt: "And two?", resume: "s" });
    expect(bodiesOf(journal, "import_started")[1]).toMatchObject({ call: 2, missing: ["two"] });
    expect(bodiesOf(journal, "agent_started")[1]).toMatchObject({ purpose: "repair" });
  });

  test("repeats the whole question if the agent has no sessions", async () => {
    const { requests } = await imported([{ says: [session, ends("one")] }, {}], {
      driver: { supportsSessions: false },
    });
    expect(requests[1]).toMatchObject({ prompt: "Read it.\nAnd two?", resume: null });
  });

  test("reads all blocks of a long answer, though the final event repeats only the last", async () => {
    const { answer } = await imported([{ says: [text("one"), text("two"), ends("two")] }]);
    expect(answer).toEqual(["one", "two"]);
  });

  test("makes no second call once a bound is reached", async () => {
    const costs: AgentEvent = {
      ...{ type: "usage", input_tokens: 10, output_tokens: 10, cache_read_tokens: null, cache_creation_tokens: null },
      ...{ cost_usd: 3, duration_ms: null, turns: 1, model: null },
    };
    const plays = [{ says: [costs, ends("one")] }, { says: [ends("two")] }];
    const bounded = (MAX_COST_USD: number) => imported(plays, { settings: { MAX_COST_USD } });
    expect((await bounded(3)).answer).toEqual(["one"]);
    expect((await bounded(4)).answer).toEqual(["one", "two"]);
  });

  test("makes no second call after a failed one", async () => {
    const failed: Play = { says: [text("one"), failure], ends: { outcome: "failed", exitCode: 1 } };
    expect((await imported([failed, { says: [ends("two")] }])).calls).toHaveLength(1);
  });

  test("leaves the run's session, limit and failures alone", async () => {
    const limited: Play = {
      says: [session, { type: "error", class: "limit", message: "limit reached" }],
      ends: { outcome: "failed", exitCode: 1 },
    };
    const fake = fakeWorld({ plays: [limited] });
    const state = await fake.run(async (run, agent) => {
      const dialogue = { document: "d", prompt: "", readAnswer: () => null, findGaps: () => null, merge: () => null };
      await importDocument(run, agent, dialogue);
      return run.state();
    });
    expect(state).toMatchObject({ session: { session_id: null }, limit: null, calls: 0, call: null, iteration: 0 });
    expect(state.failures).toEqual(noFailures());
  });
});

test("what a sub-agent says is no part of an import's answer", async () => {
  const { answer } = await imported([{ says: [{ type: "text", text: "nested", nested: true }, ends("one two")] }]);
  expect(answer).toEqual(["one", "two"]);
});

test("the calls of an import stand outside any iteration, and each has output files of its own", async () => {
  const { started, journal } = await imported([{ says: [ends("one")] }, { says: [ends("two")] }]);
  expect(started.map(({ stdoutFile }) => stdoutFile)).toEqual(["0-1.out", "0-2.out"]);
  expect(journal.flatMap(({ type, iteration }) => (type === "agent_started" ? [iteration] : []))).toEqual([0, 0]);
});

test("the answer of each call of an import is read from that call alone", async () => {
  const { answer } = await imported([
    { says: [text("first"), text("one"), ends("one")] },
    { says: [text("second"), text("two"), ends("two")] },
  ]);
  expect(answer).toEqual(["first", "one", "second", "two"]);
});

test("an import that was stopped at once is not asked again", async () => {
  let stop = () => {};
  const fake = fakeWorld({ plays: [{ says: [ends("one")], meanwhile: () => stop() }] });
  const { calls } = await fake.run((run, agent) => {
    stop = () => run.stops.request("SIGTERM");
    return importDocument(run, agent, {
      document: "d",
      prompt: "",
      readAnswer: () => null,
      findGaps: () => ({ missing: ["two"], prompt: "And two?" }),
      merge: () => null,
    });
  });
  expect(calls).toHaveLength(1);
});
