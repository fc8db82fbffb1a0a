import { expect, test } from "bun:test";
import type { TaskClaim } from "../../../src/core/fleet/claim.ts";
import { describeLeft, nextTask } from "../../../src/core/fleet/next-task.ts";
import type { Shard } from "../../../src/core/fleet/shard.ts";
import { type ListedTask, taskGraph } from "../../../src/core/tasks/task-graph.ts";

const task = (text: string, more: Partial<ListedTask> = {}): ListedTask => ({
  ...{ name: null, text, section: null, done: false, optional: false, after: [] },
  ...more,
});
const graphOf = (...list: ListedTask[]) => taskGraph(list, (words) => Buffer.from(words).toString("hex").slice(2, 16));
const asked = (claims: ReadonlyMap<string, TaskClaim> = new Map()) => ({
  ...{ claims, shard: { index: 0, count: 1 }, stacks: false, worker: "w", now: 0 },
});

const held = { text: "", tries: 0 };
const by = (name: string) => ({ ...held, worker: { name } });
const claimed = (name = "other", until = 1) => ({ ...by(name), state: "claimed" as const, until });
const handedIn = { ...by("other"), state: "handed_in" as const, branch: "ralph/a", commit: "c" };
const returned = (name: string) => ({
  ...{ ...by(name), state: "returned" as const, branch: "ralph/b", why: "red" as const, message: "" },
});
const parked = { ...by("other"), state: "parked" as const, why: "It asks.", branch: "ralph/p" };
type Held = ReturnType<typeof claimed> | typeof handedIn | ReturnType<typeof returned> | typeof parked;

/** What a worker does next. @param of claims by the words of their tasks */
function next(
  list: readonly ListedTask[],
  of: Readonly<Record<string, Held>> = {},
  more: { stacks?: boolean; shard?: Shard } = {},
) {
  const graph = graphOf(...list);
  const claims = graph.tasks.flatMap(({ id, text }): [string, TaskClaim][] => {
    const one = of[text];
    return one === undefined ? [] : [[id, { ...one, task: id }]];
  });
  const what = nextTask(graph, { ...asked(new Map(claims)), ...more });
  return what.do === "work" ? { task: what.task.text, builtOn: what.builtOn } : what;
}

test("the first task that is free comes first, and optional ones after all others", () => {
  expect(next([task("a"), task("b")])).toEqual({ task: "a", builtOn: [] });
  expect(next([task("a", { done: true }), task("b")])).toEqual({ task: "b", builtOn: [] });
  const list = [task("a", { optional: true }), task("b")];
  expect(next(list)).toEqual({ task: "b", builtOn: [] });
  expect(next(list, { b: claimed() })).toEqual({ task: "a", builtOn: [] });
});

test("a worker begins at its own part of the plan, and goes on with those of others", () => {
  const list = [task("a"), task("b"), task("c", { done: true }), task("d")];
  const second = { shard: { index: 1, count: 2 } };
  expect(next(list, {}, second)).toEqual({ task: "b", builtOn: [] });
  expect(next(list, { b: claimed(), d: claimed() }, second)).toEqual({ task: "a", builtOn: [] });
});

test("what a worker had before a crash comes first, then what came back to it, then the rest", () => {
  const list = ["a", "b", "c", "d", "e"].map((text) => task(text));
  const [mine, back] = [claimed("w"), returned("w")];
  expect(next(list, { b: back, c: back, d: mine, e: mine })).toEqual({ task: "d", builtOn: [] });
  expect(next(list, { b: back, c: back })).toEqual({ task: "b", builtOn: [] });
  // What came back to another is as good as any that is free.
  expect(next(list, { b: returned("other") })).toEqual({ task: "a", builtOn: [] });
  expect(next(list, { a: claimed("other"), b: returned("other") })).toEqual({ task: "b", builtOn: [] });
  // A claim whose worker is dead is free from that time on; no other claim is.
  expect(next(list, { a: claimed("other", 0) })).toEqual({ task: "a", builtOn: [] });
  expect(next(list, { a: handedIn, b: parked, c: claimed() })).toEqual({ task: "d", builtOn: [] });
});

test("a task waits for what is not done, or builds on it where that is handed in and nobody lands meanwhile", () => {
  const list = [task("a"), task("b", { after: [0] })];
  expect(next(list, { a: claimed() })).toEqual({ do: "wait", claimed: 1 });
  expect(next(list, { a: claimed() }, { stacks: true })).toEqual({ do: "wait", claimed: 1 });
  expect(next(list, { a: handedIn })).toEqual({ do: "end", left: { handedIn: 1, parked: 0, waiting: 1 } });
  expect(next(list, { a: handedIn }, { stacks: true })).toEqual({ task: "b", builtOn: ["ralph/a"] });
  expect(next([task("a", { done: true }), task("b", { after: [0] })])).toEqual({ task: "b", builtOn: [] });
  const both = [task("a"), task("x", { done: true }), task("b", { after: [0, 1] })];
  expect(next(both, { a: handedIn, x: parked }, { stacks: true })).toEqual({ task: "b", builtOn: ["ralph/a"] });
});

test("the end of a worker's work counts what is left, and says what it waits for", () => {
  const list = [task("a"), task("b"), task("c"), task("d", { after: [2] }), task("e", { done: true })];
  const left = { handedIn: 2, parked: 1, waiting: 1 };
  expect(next(list, { a: handedIn, b: handedIn, c: parked })).toEqual({ do: "end", left });
  expect(describeLeft(left)).toBe(
    "Nothing is left for this worker: 2 tasks handed in, to be landed with `ralph land`, one task that a person has to look at, one task waiting for those.",
  );
  expect(describeLeft({ handedIn: 1, parked: 0, waiting: 2 })).toBe(
    "Nothing is left for this worker: one task handed in, to be landed with `ralph land`, 2 tasks waiting for others.",
  );
  expect(describeLeft({ handedIn: 0, parked: 2, waiting: 0 })).toBe(
    "Nothing is left for this worker: 2 tasks that a person has to look at.",
  );
  expect(describeLeft({ handedIn: 0, parked: 0, waiting: 0 })).toBe("Every task is done.");
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
  const list = [task("a"), task("b", { after: [0] })];
  expect(next(list, { a: parked, b: claimed("other", 1) })).toEqual({ do: "wait", claimed: 1 });
  const left = { handedIn: 0, parked: 1, waiting: 1 };
  expect(next(list, { a: parked, b: claimed("other", 0) })).toEqual({ do: "end", left });
});
