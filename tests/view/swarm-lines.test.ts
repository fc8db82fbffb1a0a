import { expect, test } from "bun:test";
import { reduce } from "../../src/core/journal/reduce.ts";
import { swarmLines } from "../../src/view/swarm-lines.ts";
import { style } from "../../src/view/text/style.ts";
import { stateOf } from "../core/given.ts";
import { runningRun, SECOND, START } from "./sample-run.ts";

const running = runningRun.reduce(reduce, stateOf());

test.each([
  [1, "1 iteration ·"],
  [2, "2 iterations ·"],
])("a swarm's line for all counts %d as %p", (iterations, words) => {
  const state = { ...running, iterations };
  const lines = swarmLines({ state, workers: [], width: 120, style: style(false), now: START + SECOND });
  expect(lines.at(-1)).toContain(` · ${words}`);
});

test("a worker whose gates run is shown at its gate", () => {
  const since = new Date(START).toISOString();
  const task = { worker: "w1", task: "a", text: "Greet", since };
  const gate = { command: "npm test", process: null };
  const run = { ...running, tasks_at_work: [task], gate } as unknown as typeof running;
  const state = { ...running, tasks_at_work: [task] } as unknown as typeof running;
  const workers = [{ name: "w1", run }];
  const [line] = swarmLines({ state, workers, width: 80, style: style(false), now: START + SECOND });
  expect(line).toContain("gate · $0.84");
});
