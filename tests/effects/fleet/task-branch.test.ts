import { expect, test } from "bun:test";
import { hubTip } from "../../../src/effects/fleet/task-branch.ts";
import { createGit } from "../../../src/effects/git/git-program.ts";
import { createSandbox } from "../git/git-sandbox.ts";

test("a branch of the hub is told from refs whose names end like its own", async () => {
  using box = createSandbox();
  box.write({ "a.txt": "1\n" });
  const old = box.commit();
  for (const ref of ["refs/backup/refs/heads/main", "refs/backup/refs/heads/gone", "refs/heads/refs/heads/work"])
    box.git("update-ref", ref, old);
  box.write({ "a.txt": "2\n" });
  const now = box.commit();
  box.git("branch", "work");
  const git = createGit(box.project, box.env);
  const tips = ["main", "work", "gone"].map((branch) => hubTip(git, box.path(".git"), branch));
  expect(await Promise.all(tips)).toEqual([now, now, null]);
});
