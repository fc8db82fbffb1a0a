import { describe, expect, test } from "bun:test";
import type { Settings } from "../../../src/core/settings/settings.ts";
import type { AgentEvent } from "../../../src/driver.ts";
import { loop } from "../../../src/run/jobs/loop.ts";
import { bodiesOf, type Fake, type FakeParts, fakeWorld, type Play } from "../fake-world.ts";

/** What `ralph setup` writes, with the defaults that follow from it. */
const evidence: Partial<Settings> = {
  DONE_POLICY: "evidence",
  CB_NO_PROGRESS_THRESHOLD: 6,
  CB_OUTPUT_DECLINE_THRESHOLD: 0,
};

async function looped(parts: FakeParts): Promise<Fake & { end: object; prompts: string[] }> {
  const prompts: string[] = [];
  const fake = fakeWorld({
    ...parts,
    driver: {
      buildCommand: ({ prompt, resume }) => {
        prompts.push(prompt);
        return { argv: ["demo", ...(resume === null ? [] : [resume])], stdin: "" };
      },
    },
  });
  return { ...fake, end: await fake.run(loop), prompts };
}

const block = (fields: string) => `---RALPH_STATUS---\n${fields}\n---END_RALPH_STATUS---`;
const says = (text: string): AgentEvent => ({ type: "finished", ok: true, text, duration_ms: null, cost_usd: null });
const usage: AgentEvent = {
  type: "usage",
  input_tokens: 1000,
  output_tokens: 10,
  cache_read_tokens: null,
  cache_creation_tokens: null,
  cost_usd: 0.41,
  duration_ms: null,
  turns: null,
  model: null,
};
const session: AgentEvent = { type: "session_id", session_id: "s" };
const working = block("STATUS: IN_PROGRESS\nEXIT_SIGNAL: false");
const times = (n: number, play: Play) => Array.from({ length: n }, () => play);
const notes = ({ journal }: Fake) =>
  journal.flatMap((event) => (event.type === "note" && event.level === "warn" ? [event.text] : []));

describe("an agent that is denied each time and changes one line of one file", () => {
  const denied: Play = {
    says: [
      session,
      { type: "denied", tool: "Bash", command: "terraform apply -auto-approve", tool_use_id: null },
      usage,
      says(`I was not allowed to apply it.\n${working}`),
    ],
    changes: ["infra/main.tf"],
  };
  const parts: FakeParts = { plays: times(50, denied), plan: "- [ ] Apply it", settings: { MAX_ITERATIONS: 50 } };

  test.each(["continue", "halt", "threshold"] as const)("ends within ten iterations in mode %s", async (mode) => {
    const settings = { MAX_ITERATIONS: 50, PERMISSION_DENIAL_MODE: mode };
    const { end } = await looped({ ...parts, settings });
    expect(end).toMatchObject({ exit_code: mode === "halt" ? 6 : 3 });
    expect((end as { iterations: number }).iterations).toBeLessThanOrEqual(5);
  });

  test("costs a tenth, is told to the user in time, and the next run begins a new conversation", async () => {
    const fake = await looped(parts);
    expect(fake.end).toMatchObject({
      stop_reason: "denied_repeatedly",
      exit_code: 3,
      iterations: 5,
      sentence:
        "The agent was denied Bash(terraform apply -auto-approve) in 5 iterations in a row, and got nothing done meanwhile.",
    });
    expect((fake.end as { cost_usd: number }).cost_usd).toBeCloseTo(2.05);
    expect(notes(fake)).toEqual([
      "The agent was denied Bash(terraform apply -auto-approve) in 3 iterations in a row, and got nothing done meanwhile. At 5 the run ends (SAME_DENIAL_THRESHOLD). The next prompt says so.",
    ]);
    expect(fake.prompts.map((prompt) => prompt.includes("in each of the last"))).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
    expect(bodiesOf(fake.journal, "reset")).toMatchObject([{ what: "session", reason: "permission_denied" }]);
  });

  test("ends for getting nothing done where the user lets denials go on", async () => {
    const { end } = await looped({ ...parts, settings: { MAX_ITERATIONS: 50, SAME_DENIAL_THRESHOLD: 0 } });
    expect(end).toMatchObject({ stop_reason: "no_headway", exit_code: 3, iterations: 8 });
  });

  test("goes on to the bound if the user switched both rules off", async () => {
    const { end } = await looped({
      ...parts,
      settings: { MAX_ITERATIONS: 50, SAME_DENIAL_THRESHOLD: 0, NO_HEADWAY_THRESHOLD: 0 },
    });
    expect(end).toMatchObject({ stop_reason: "max_iterations" });
  });

  test("goes on while it commits", async () => {
    const plays = Array.from({ length: 12 }, (_, n) => ({ ...denied, commits: [`c${n}`] }));
    const { end } = await looped({ ...parts, plays, settings: { MAX_ITERATIONS: 12 } });
    expect(end).toMatchObject({ stop_reason: "max_iterations" });
  });

  test("goes on while its files vary", async () => {
    const plays = Array.from({ length: 12 }, (_, n) => ({ ...denied, changes: [`${n}.ts`, `${n}.test.ts`] }));
    const { end } = await looped({ ...parts, plays, settings: { MAX_ITERATIONS: 12 } });
    expect(end).toMatchObject({ stop_reason: "max_iterations" });
  });
});

describe("a run that gets nothing done", () => {
  const open = "- [ ] one\n- [ ] two";
  const edits: Play = { says: [says(working)], changes: ["a.ts"] };

  test("on the same file ends, after a warning to the user and to the agent", async () => {
    const fake = await looped({ plays: times(20, edits), plan: open });
    expect(fake.end).toMatchObject({
      stop_reason: "no_headway",
      iterations: 8,
      sentence: "8 iterations in a row changed nothing but a.ts: no box ticked, no commit.",
    });
    expect(notes(fake)).toHaveLength(1);
    expect(fake.prompts.filter((prompt) => prompt.includes("changed nothing but a.ts"))).toHaveLength(4);
    expect(bodiesOf(fake.journal, "reset")).toMatchObject([{ reason: "no_headway" }]);
  });

  test.each([
    ["the same file with a plan", times(30, edits), open, "At 8 the run ends (NO_HEADWAY_THRESHOLD)"],
    [
      "the same file without a measure",
      times(30, edits),
      null,
      "At 24 the run ends (three times NO_HEADWAY_THRESHOLD)",
    ],
    [
      "varying files",
      Array.from({ length: 30 }, (_, n) => ({ ...edits, changes: [`${n}.ts`] })),
      open,
      "At 24 the run ends (three times NO_HEADWAY_THRESHOLD)",
    ],
  ])("on %s is told when it ends, as it does then", async (_, plays, plan, told) => {
    const fake = await looped({ plays, ...(plan === null ? {} : { plan }) });
    expect(notes(fake)).toEqual([expect.stringContaining(told)]);
    expect(fake.end).toMatchObject({ stop_reason: "no_headway", iterations: Number(/\d+/.exec(told)?.[0]) });
  });

  test("on the same file has three times as long where nothing measures the work", async () => {
    expect((await looped({ plays: times(30, edits) })).end).toMatchObject({
      stop_reason: "no_headway",
      iterations: 24,
    });
  });

  test("on changing files has three times as long where boxes are open", async () => {
    const plays = Array.from({ length: 30 }, (_, n) => ({ ...edits, changes: [`${n}.ts`, "b.ts", "c.ts"] }));
    expect((await looped({ plays, plan: open })).end).toMatchObject({
      stop_reason: "no_headway",
      sentence: "24 iterations in a row ticked no box and made no commit.",
    });
  });

  test("on changing files goes on where nothing measures the work", async () => {
    const plays = Array.from({ length: 60 }, (_, n) => ({ ...edits, changes: [`${n}.ts`, "b.ts", "c.ts"] }));
    const { end } = await looped({ plays, settings: { MAX_ITERATIONS: 60 } });
    expect(end).toMatchObject({ stop_reason: "max_iterations" });
  });

  test("because it only asks ends, although a question freezes the circuit breaker", async () => {
    const asks: Play = { says: [says(`Should I go on with task one or task two?\n${working}`)] };
    expect((await looped({ plays: times(30, asks) })).end).toMatchObject({
      stop_reason: "no_headway",
      sentence: "8 iterations in a row ended with a question and changed nothing.",
    });
  });

  test("is left to the circuit breaker if it is idle", async () => {
    expect((await looped({ plays: times(9, { says: [says(working)] }) })).end).toMatchObject({
      stop_reason: "stagnation_detected",
      iterations: 3,
    });
  });
});

describe("idle answers with DONE_POLICY=evidence", () => {
  const idle: Play = { says: [session, says(`I looked around.\n${working}`)] };
  const works: Play = { ...idle, changes: ["a.ts"], commits: ["c"] };

  test("are met with words, new conversations and pauses, and end the run after six", async () => {
    const fake = await looped({ settings: evidence, plays: [works, ...times(9, idle)] });
    expect(fake.end).toMatchObject({ stop_reason: "stagnation_detected", iterations: 7 });
    const resumed = fake.journal.flatMap((event) => (event.type === "iteration_started" ? [event.resume] : []));
    expect(resumed).toEqual([null, "s", "s", null, "s", null, "s"]);
    expect(bodiesOf(fake.journal, "wait_started").map((wait) => (wait as { why: string }).why)).toEqual([
      "idle",
      "idle",
      "idle",
    ]);
    expect(fake.prompts.map((prompt) => /Nothing changed in your last/.test(prompt))).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
      true,
    ]);
    expect(fake.prompts.map((prompt) => /nothing changed any more in the one before/.test(prompt))).toEqual([
      false,
      false,
      false,
      true,
      false,
      true,
      false,
    ]);
  });

  test("do not end a run that goes on after three of them", async () => {
    const { end } = await looped({
      settings: evidence,
      plan: "- [ ] one",
      plays: [works, ...times(3, idle), { ...works, plan: "- [x] one" }],
    });
    expect(end).toMatchObject({ stop_reason: "plan_complete", iterations: 5 });
  });

  test("end a run at the user's own threshold", async () => {
    const settings = { ...evidence, CB_NO_PROGRESS_THRESHOLD: 3 };
    expect((await looped({ settings, plays: times(9, idle) })).end).toMatchObject({
      stop_reason: "stagnation_detected",
      iterations: 3,
    });
  });
});

describe("finished work that nobody claims", () => {
  const idle: Play = { says: [says(`Everything is in place.\n${working}`)] };
  const works: Play = { ...idle, changes: ["a.ts"], commits: ["c"] };
  const gated = { ...evidence, TEST_COMMAND: "npm test" };

  test("ends as done, once a gate turned green and three answers changed nothing", async () => {
    const plays = [{ ...works, gates: [{ exit: 1 }] }, works, ...times(9, idle)];
    expect((await looped({ settings: gated, plays })).end).toMatchObject({
      stop_reason: "proven_complete",
      exit_code: 0,
      iterations: 5,
    });
  });

  test("ends so with gates that run only on completion, too", async () => {
    const settings = { ...gated, QUALITY_GATE_ON_COMPLETION_ONLY: true };
    const fake = await looped({ settings, plays: [works, ...times(9, idle)] });
    expect(fake.end).toMatchObject({ stop_reason: "proven_complete", iterations: 7 });
    expect(bodiesOf(fake.journal, "gate_finished")).toHaveLength(4);
  });

  test("ends as stuck with a red gate, without a gate, and if the user wants a claim", async () => {
    const stuck = { stop_reason: "stagnation_detected", exit_code: 3 };
    // A gate that decides about "done" runs once more.
    const red = [works, ...times(9, { ...idle, gates: [{ exit: 1 }, { exit: 1 }] })];
    expect((await looped({ settings: gated, plays: red })).end).toMatchObject(stuck);
    expect((await looped({ settings: evidence, plays: [works, ...times(9, idle)] })).end).toMatchObject(stuck);
    const claimed = { ...gated, PROVEN_COMPLETE: false };
    expect((await looped({ settings: claimed, plays: [works, ...times(9, idle)] })).end).toMatchObject(stuck);
  });
});

describe("an agent that claims to be done too early", () => {
  const claim = block("STATUS: COMPLETE\nEXIT_SIGNAL: true");
  const lies: Play = { says: [says(claim)] };
  const plan = (ticked: number) => Array.from({ length: 6 }, (_, n) => `- [${n < ticked ? "x" : " "}] ${n}`).join("\n");

  test("is left alone while it works between its claims", async () => {
    const plays = Array.from({ length: 6 }, (_, n) => ({ ...lies, changes: [`${n}.ts`], plan: plan(n + 1) }));
    expect((await looped({ settings: evidence, plan: plan(0), plays })).end).toMatchObject({
      exit_code: 0,
      iterations: 6,
    });
  });

  test("needs a person after three claims without work", async () => {
    expect((await looped({ settings: evidence, plan: plan(0), plays: times(9, lies) })).end).toMatchObject({
      stop_reason: "completion_disputed",
      iterations: 3,
    });
  });

  test("ends for getting nothing done if it changes a line each time", async () => {
    const plays = times(30, { ...lies, changes: ["a.ts"] });
    expect((await looped({ settings: evidence, plan: plan(0), plays })).end).toMatchObject({
      stop_reason: "no_headway",
      iterations: 8,
    });
  });

  test("needs a person after eighteen claims if it even commits that line", async () => {
    const plays = Array.from({ length: 30 }, (_, n) => ({ ...lies, changes: ["a.ts"], commits: [`c${n}`] }));
    expect((await looped({ settings: evidence, plan: plan(0), plays })).end).toMatchObject({
      stop_reason: "completion_disputed",
      iterations: 18,
    });
  });
});
