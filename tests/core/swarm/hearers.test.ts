import { expect, test } from "bun:test";
import { aboutTask } from "../../../src/core/needs/questions.ts";
import { hearersOf } from "../../../src/core/swarm/hearers.ts";
import type { WorkTask } from "../../../src/core/tasks/task-graph.ts";

const task = (id: string, done = false): WorkTask => ({
  ...{ id, name: null, text: `text of ${id}`, section: null, done, optional: false, after: [] },
});
const atWork = [
  { name: "w1", task: "one" },
  { name: "w2", task: null },
];
const heard = (text: string, tasks: readonly WorkTask[]) => hearersOf(text, tasks, atWork);

test("all at work hear what is about no open task", () => {
  expect(heard("Use yargs", [task("one")])).toEqual(["w1", "w2"]);
  expect(heard(`Thanks ${aboutTask("text of three")}`, [task("one"), task("three", true)])).toEqual(["w1", "w2"]);
});

test("what is about an open task waits for the worker that has it", () => {
  expect(heard(`8080 ${aboutTask("text of one")}`, [task("one"), task("two")])).toEqual(["w1"]);
  expect(heard(`8080 ${aboutTask("text of two")}`, [task("one"), task("two")])).toEqual([]);
});
