import { expect, test } from "bun:test";
import type { TaskClaim } from "../../../src/core/fleet/claim.ts";
import { nextTask } from "../../../src/core/fleet/next-task.ts";
import { type ListedTask, taskGraph } from "../../../src/core/tasks/task-graph.ts";

const task = (text: string, more: Partial<ListedTask> = {}): ListedTask => ({
  ...{ name: null, text, section: null, done: false, optional: false, after: [] },
  ...more,
});
const graphOf = (...list: ListedTask[]) => taskGraph(list, (words) => Buffer.from(words).toString("hex").slice(2, 16));
const asked = (claims: ReadonlyMap<string, TaskClaim> = new Map()) => ({
  ...{ claims, shard: { index: 0, count: 1 }, stacks: false, worker: "w", now: 0 },
});

test("what its list keeps back is taken by nobody, and holds back what waits for it", () => {
  const graph = graphOf(task("a", { held: "deferred" }), task("b", { after: [0] }), task("c"));
  expect(nextTask(graph, asked())).toMatchObject({ do: "work", task: { text: "c" } });
  const done = { ...graph, tasks: graph.tasks.map((one) => ({ ...one, done: one.text === "c" })) };
  expect(nextTask(done, asked())).toEqual({ do: "end", left: { handedIn: 0, parked: 0, waiting: 1 } });
  const alone = graphOf(task("a", { held: "deferred" }));
  expect(nextTask(alone, asked())).toEqual({ do: "end", left: { handedIn: 0, parked: 0, waiting: 0 } });
});

test("a dead worker's task that waits for a parked one keeps nobody waiting", () => {
  const graph = graphOf(task("a"), task("b", { after: [0] }));
  const [a, b] = graph.tasks.map(({ id }) => id);
  const held = { text: "", worker: { name: "other" }, tries: 0 };
  const claims = (until: number) =>
    new Map<string, TaskClaim>([
      [a ?? "", { ...held, state: "parked", task: a ?? "", why: "It asks.", branch: null }],
      [b ?? "", { ...held, state: "claimed", task: b ?? "", until }],
    ]);
  expect(nextTask(graph, asked(claims(1)))).toEqual({ do: "wait", claimed: 1 });
  expect(nextTask(graph, asked(claims(0)))).toEqual({ do: "end", left: { handedIn: 0, parked: 1, waiting: 1 } });
});
