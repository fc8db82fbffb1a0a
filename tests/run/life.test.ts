import { expect, test } from "bun:test";
import type { LoopDeps } from "../../src/run/deps.ts";
import { watchForChanges } from "../../src/run/life.ts";

test("a commit, a file and the plan are life, each of them once", async () => {
  const now = { head: "a", tree: "t1", plan: "- [ ] one" };
  const deps = {
    workspace: { head: () => now.head, snapshot: async () => ({ id: now.tree }) },
    project: { plan: () => now.plan },
  } as unknown as LoopDeps;
  const changed = watchForChanges(deps, "t1");
  const answers = [await changed()];
  for (const change of [{ head: "b" }, { tree: "t2" }, { plan: "- [x] one" }]) {
    Object.assign(now, change);
    answers.push(await changed(), await changed());
  }
  expect(answers).toEqual([false, true, false, true, false, true, false]);
});
