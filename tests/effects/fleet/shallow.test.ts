/** Workers in shallow clones, made after the work began that they go on with or build on. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { openTaskBranch } from "../../../src/effects/fleet/task-branch.ts";
import { createGit } from "../../../src/effects/git/git-program.ts";
import { createSandbox, openSandbox } from "../git/git-sandbox.ts";

const ONE = "ralph/one-0123456789ab";
const TWO = "ralph/two-ba9876543210";

test.each([
  ["work that came back", { branch: ONE, builtOn: [], isReturned: true }],
  ["what builds on work that has not landed", { branch: TWO, builtOn: [ONE, "ralph/other"], isReturned: false }],
])("%s finds the history that it needs", async (_, task) => {
  using box = createSandbox();
  box.write({ "a.txt": "1\n" });
  box.commit();
  for (const branch of [ONE, "ralph/other"]) {
    box.git("switch", "--quiet", "--create", branch, "main");
    box.write({ [`${branch.slice(6, 9)}.txt`]: "work\n" });
    box.commit();
  }
  box.git("switch", "--quiet", "main");
  box.write({ "b.txt": "meanwhile\n" });
  box.commit();
  const hub = join(box.folder, "hub.git");
  box.git("clone", "--quiet", "--bare", ".", hub);
  const dir = join(box.folder, "clone");
  box.git("clone", "--quiet", "--depth=1", `file://${hub}`, dir);
  const at = { target: "main", hub: "origin", own: [], isKept: false, ...task };
  expect(await openTaskBranch(createGit(dir, box.env), at)).toEqual([]);
  const clone = openSandbox(box.folder, dir);
  expect(clone.git("branch", "--show-current")).toBe(task.branch);
  expect(clone.git("ls-files").split("\n")).toEqual(expect.arrayContaining(["a.txt", "b.txt", "one.txt"]));
});
