import { expect, test } from "bun:test";
import { createChangeProbe } from "../../src/run/change-probe.ts";
import { fakeWorld } from "./fake-world.ts";

test("a change probe reports a commit, a file and the plan once each", async () => {
  const now = { head: "a", tree: "t1", plan: "- [ ] one" };
  const { world } = fakeWorld({ files: { plan: () => now.plan } });
  const snapshot = async () => ({ id: now.tree, head: now.head, branch: null, isGitRepository: true });
  const workspace = { ...world.workspace, head: () => now.head, snapshot };
  const hasWritten = createChangeProbe({ world: { ...world, workspace } }, "t1");
  const answers = [await hasWritten()];
  for (const change of [{ head: "b" }, { tree: "t2" }, { plan: "- [x] one" }]) {
    Object.assign(now, change);
    answers.push(await hasWritten(), await hasWritten());
  }
  expect(answers).toEqual([false, true, false, true, false, true, false]);
});
