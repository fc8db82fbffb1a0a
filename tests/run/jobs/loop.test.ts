import { describe, expect, test } from "bun:test";
import type { RalphEvent } from "../../../src/core/journal/event.ts";
import type { AgentEvent } from "../../../src/driver.ts";
import type { ProcessOptions } from "../../../src/effects/ports.ts";
import { loop } from "../../../src/run/jobs/loop.ts";
import { NOON } from "../../core/given.ts";
import {
  bodiesOf,
  type Fake,
  type FakeParts,
  fakeWorld,
  finished,
  type Play,
  resultOf,
  typesOf,
} from "../fake-world.ts";

/** Runs the loop from its first decision to its end. */
async function looped(parts: FakeParts = {}): Promise<Fake & { end: object }> {
  const fake = fakeWorld(parts);
  return { ...fake, end: await fake.run(loop) };
}

const answers: Play = { says: [finished], changes: ["a.ts"] };
const limited: Play = {
  says: [
    {
      type: "rate_limited",
      kind: "usage_limit",
      message: "limit reached",
      resets_at: new Date(NOON + 60_000).toISOString(),
    },
    { type: "error", class: "limit", message: "limit reached" },
  ],
  ends: { outcome: "failed", exitCode: 1 },
};
const one = { MAX_ITERATIONS: 1 };
const ENDED = { reason: "stopped_by_user", exit_code: 0, sentence: "", at: new Date(NOON).toISOString() } as const;

const starts = (journal: readonly RalphEvent[]) =>
  journal.flatMap((event) => (event.type === "iteration_started" ? [event] : []));

test("iterations run up to the bound, each starting with the tree of the last one", async () => {
  const { journal, end } = await looped({ settings: { MAX_ITERATIONS: 2 }, plays: [answers, answers] });
  const iteration = ["iteration_started", "agent_started", "agent_finished", "iteration_finished"] as const;
  expect(typesOf(journal)).toEqual([...iteration, ...iteration, "run_finished"]);
  expect(end).toMatchObject({ stop_reason: "max_iterations", iterations: 2, calls: 2 });
  expect(starts(journal).map(({ snapshot }) => snapshot)).toEqual(["tree-1", "tree-2"]);
});

describe("a wait", () => {
  test("between iterations is followed by a new snapshot, which excludes the user's changes", async () => {
    let plan = "- [ ] one";
    const { journal } = await looped({
      settings: { MAX_ITERATIONS: 2, MAX_CALLS_PER_HOUR: 1 },
      plays: [answers, answers],
      files: { plan: () => plan },
      whileWaiting: () => {
        plan = "- [x] one\n- [ ] two";
      },
    });
    expect(bodiesOf(journal, "wait_started", "wait_ended")).toMatchObject([
      { why: "call_budget" },
      { type: "wait_ended", why: "call_budget" },
    ]);
    expect(starts(journal)).toMatchObject([
      { snapshot: "tree-1", plan: { total: 1, checked: 0 } },
      { snapshot: "tree-2", plan: { total: 2, checked: 1 } },
    ]);
    expect(bodiesOf(journal, "iteration_finished")).toMatchObject([
      { evidence: { plan_delta: 0 } },
      { evidence: { plan_delta: 0 } },
    ]);
  });

  test("within an iteration keeps the iteration's tree and number", async () => {
    const { journal, end } = await looped({ settings: one, plays: [limited, answers] });
    expect(starts(journal)).toMatchObject([
      { number: 1, call: 1, snapshot: "tree-1" },
      { number: 1, call: 2, snapshot: "tree-1" },
    ]);
    expect(end).toMatchObject({ iterations: 1, calls: 1 });
  });

  test("that the user refused interrupts the iteration because of the limit", async () => {
    const { journal, end } = await looped({ settings: { ON_USAGE_LIMIT: "stop" }, plays: [limited] });
    expect(bodiesOf(journal, "wait_started", "iteration_interrupted")).toMatchObject([{ why: "the limit ended it" }]);
    expect(end).toMatchObject({ stop_reason: "usage_limit" });
  });

  test("ends with a stop, and so does its iteration", async () => {
    const { journal, end } = await looped({
      settings: one,
      plays: [limited],
      whileWaiting: ({ stops }) => stops.request("SIGINT"),
    });
    expect(typesOf(journal).slice(-5)).toEqual([
      "wait_started",
      "stop_requested",
      "wait_ended",
      "iteration_interrupted",
      "run_finished",
    ]);
    expect(end).toMatchObject({ stop_reason: "stopped_by_user", iterations: 0 });
  });

  test("in which a stop was withdrawn goes on", async () => {
    let waits = 0;
    const { journal, end } = await looped({
      settings: one,
      plays: [limited, answers],
      whileWaiting: ({ stops, append }) => {
        waits += 1;
        if (waits > 1) return;
        stops.request("user");
        if (stops.withdraw()) append({ type: "stop_withdrawn" });
      },
    });
    expect(end).toMatchObject({ stop_reason: "max_iterations" });
    expect([waits, starts(journal).length]).toEqual([2, 2]);
  });
});

test.each([
  ["once, while the agent works", 1, "stopped_by_user", "iteration_finished"],
  ["twice", 2, "interrupted", "iteration_interrupted"],
] as const)("Ctrl+C pressed %s ends the run as %p", async (_name, times, stop_reason, ending) => {
  let press = () => {};
  const fake = fakeWorld({ plays: [{ ...answers, meanwhile: () => press() }] });
  const end = await fake.run((run, agent) => {
    press = () => {
      for (let n = 0; n < times; n += 1) run.stops.request("SIGINT");
    };
    return loop(run, agent);
  });
  expect(end).toMatchObject({ stop_reason });
  expect(typesOf(fake.journal)).toContain(ending);
});

test("a stop that cannot be recorded ends the run with its error, without a further call", async () => {
  const full = new Error("The disk is full");
  let press = () => {};
  const fake = fakeWorld({
    plays: [{ ...answers, meanwhile: () => press() }],
    onWrite: (events) => {
      if (events.some(({ type }) => type === "stop_requested")) throw full;
    },
  });
  const end = fake.run((run, agent) => {
    press = () => run.stops.request("SIGINT");
    return loop(run, agent);
  });
  await expect(end).rejects.toBe(full);
  expect(typesOf(fake.journal)).toEqual([
    "iteration_started",
    "agent_started",
    "agent_finished",
    "iteration_interrupted",
    "run_finished",
  ]);
});

test("a rejected session is dropped, and the call is repeated without it", async () => {
  const rejected: AgentEvent = { type: "error", class: "session", message: "No conversation found" };
  const at = new Date(NOON).toISOString();
  const { journal, end } = await looped({
    settings: one,
    earlier: { session: { session_id: "old", driver: "demo", created_at: at, last_used: at }, finished: ENDED },
    plays: [{ says: [rejected], ends: { outcome: "failed", exitCode: 1 } }, answers],
  });
  expect(starts(journal)).toMatchObject([
    { number: 1, call: 1, resume: "old" },
    { number: 1, call: 2, resume: null },
  ]);
  expect(bodiesOf(journal, "reset")).toMatchObject([{ what: "session", reason: "session_rejected" }]);
  expect(end).toMatchObject({ stop_reason: "max_iterations", iterations: 1 });
});

describe("files that a run needs", () => {
  test("are restored when they are gone, and the run ends", async () => {
    const lost = [[], [".ralph/PROMPT.md", ".ralph/fix_plan.md"]];
    const { journal, end } = await looped({ plays: [answers], guard: { restoreLost: () => lost.shift() ?? [] } });
    expect(end).toMatchObject({
      stop_reason: "files_deleted",
      sentence: "Put back: .ralph/PROMPT.md, .ralph/fix_plan.md.",
    });
    expect(starts(journal)).toHaveLength(1);
  });

  test("are checked after the gates of the last iteration too", async () => {
    let lost: string[] = [];
    const playDeletion = (options: ProcessOptions) => {
      options.onStart({ pid: 1, group: 1, startTime: null });
      lost = [".ralph/PROMPT.md"];
      return resultOf();
    };
    const { journal, end } = await looped({
      settings: { TEST_COMMAND: "npm test", DONE_POLICY: "evidence" },
      plan: "- [x] one",
      world: { process: { run: async (_command, options) => playDeletion(options) } },
      guard: { restoreLost: () => lost },
    });
    expect(bodiesOf(journal, "gate_finished")).toHaveLength(1);
    expect(end).toMatchObject({ stop_reason: "files_deleted" });
  });

  test("are not restored if the whole folder is gone, since it may have been moved", async () => {
    let restored = 0;
    const restoreLost = () => {
      restored += 1;
      return ["x"];
    };
    const { end } = await looped({ files: { isGone: () => true }, guard: { restoreLost } });
    expect(end).toMatchObject({ stop_reason: "files_deleted", sentence: expect.stringContaining("no longer where") });
    expect(restored).toBe(0);
  });
});

test("a warning of the workspace is reported once, when it occurs", async () => {
  const warnings: string[] = [];
  const { workspace } = fakeWorld().world;
  const { journal } = await looped({
    settings: { MAX_ITERATIONS: 3 },
    plays: [answers, { ...answers, meanwhile: () => void warnings.push("a folder cannot be read") }, answers],
    world: { workspace: { ...workspace, warnings } },
  });
  expect(bodiesOf(journal, "note")).toEqual([{ type: "note", level: "warn", text: "a folder cannot be read" }]);
});
