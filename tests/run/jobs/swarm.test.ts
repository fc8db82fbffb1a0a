/** What a swarm makes of a worker that ends before it has begun. The whole of it: e2e/fleet. */
import { expect, test } from "bun:test";
import type { TaskClaim } from "../../../src/core/fleet/claim.ts";
import type { WorkTask } from "../../../src/core/tasks/task-graph.ts";
import type { LandYard, SwarmWorker, SwarmYard } from "../../../src/effects/ports.ts";
import { swarm } from "../../../src/run/jobs/swarm.ts";
import { fakeWorld } from "../fake-world.ts";

const ELSEWHERE = { name: "elsewhere/w1" };
const taskOf = (id: string, done: boolean): WorkTask => ({
  ...{ id, name: null, text: id, section: null, done, optional: false, after: [] },
});
const claimed = (id: string) => ({
  ...{ state: "claimed" as const, task: id, text: id, worker: ELSEWHERE, until: Number.MAX_SAFE_INTEGER, tries: 0 },
});
const returned = (id: string): TaskClaim => ({
  ...{ state: "returned", task: id, text: id, worker: ELSEWHERE, branch: null, why: "red", message: "Mend it." },
  tries: 1,
});

type Play = {
  tasks: readonly string[];
  workers: readonly string[];
  /** What is done, and who holds what, after so many starts and looks. */
  seen(starts: number, looks: number): { done: readonly string[]; claims: readonly TaskClaim[] };
  /** Exit codes of the workers, which begin nothing that the swarm could see. */
  exits: readonly number[];
};

/** @throws Error if more workers are started than the play has */
async function played({ tasks, workers, seen, exits }: Play) {
  const started: string[] = [];
  let looks = 0;
  const yard: SwarmYard = {
    workers: workers.map((name): SwarmWorker => ({ name, id: `here/${name}`, project: `/${name}` })),
    look: async () => {
      looks += 1;
      const { done, claims } = seen(started.length, looks);
      const graph = { tasks: tasks.map((id) => taskOf(id, done.includes(id))), faults: [] };
      return { graph, claims: new Map(claims.map((claim) => [claim.task, { id: `claim of ${claim.task}`, claim }])) };
    },
    start: ({ name }, task) => {
      const exit = exits[started.push(`${name} ${task}`) - 1];
      if (exit === undefined) throw new Error(`One worker too many is started: ${started.join(", ")}`);
      return { exited: Promise.resolve(exit), stop: () => {} };
    },
    newest: () => null,
    isBusy: () => false,
    settle: async () => {
      throw new Error("No claim is changed.");
    },
  };
  const land: Partial<LandYard> = {};
  const fake = fakeWorld();
  const end = await fake.run((run) =>
    swarm(run, { yard, land: land as LandYard, untested: false, staggerMs: 0, lookMs: 100 }),
  );
  const released = fake.journal.flatMap((event) =>
    event.type === "task_released" ? [`${event.worker} ${event.task}: ${event.outcome}, ${event.why}`] : [],
  );
  const notes = fake.journal.flatMap((event) => (event.type === "note" ? [event.text] : []));
  return { started, released, notes, reason: end.stop_reason, sentence: end.sentence };
}

test("who is too late for a task that another swarm has goes on with the next one", async () => {
  const { started, released, reason } = await played({
    tasks: ["one", "two"],
    workers: ["w1"],
    seen: (starts) => ({ done: starts < 2 ? [] : ["one", "two"], claims: starts === 1 ? [claimed("one")] : [] }),
    exits: [1, 0],
  });
  expect(started).toEqual(["w1 one", "w1 two"]);
  expect(released[0]).toBe("w1 one: given_back, somebody else has it");
  expect(reason).toBe("plan_complete");
});

test("a worker that fails before it begins with another one's returned work is put aside", async () => {
  const { started, released, reason, sentence } = await played({
    tasks: ["one"],
    workers: ["w1", "w2"],
    seen: () => ({ done: [], claims: [returned("one")] }),
    exits: [1, 1],
  });
  expect(started).toEqual(["w1 one", "w2 one"]);
  expect(released).toEqual([
    "w1 one: given_back, it ended with exit code 1",
    "w2 one: given_back, it ended with exit code 1",
  ]);
  expect([reason, sentence]).toEqual(["agent_unusable", "Worker w1 ended with exit code 1 before it began."]);
});

test("a swarm whose rest others have waits for them, says so once, and is done with them", async () => {
  const { notes, reason } = await played({
    tasks: ["one", "two"],
    workers: ["w1"],
    seen: (_, looks) => ({ done: looks < 5 ? ["two"] : ["one", "two"], claims: looks < 5 ? [claimed("one")] : [] }),
    exits: [],
  });
  expect(notes).toEqual(['Waiting: elsewhere/w1 works on "one".']);
  expect(reason).toBe("plan_complete");
});

test("a swarm takes what a dead worker elsewhere had, once its lease ended", async () => {
  const { started, reason } = await played({
    tasks: ["one"],
    workers: ["w1"],
    seen: (starts, looks) => ({
      done: starts === 0 ? [] : ["one"],
      claims: starts === 0 ? [{ ...claimed("one"), until: looks < 5 ? Number.MAX_SAFE_INTEGER : 0 }] : [],
    }),
    exits: [0],
  });
  expect(started).toEqual(["w1 one"]);
  expect(reason).toBe("plan_complete");
});
