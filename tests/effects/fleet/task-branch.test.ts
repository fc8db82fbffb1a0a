import { expect, test } from "bun:test";
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
  branchOfTask,
  commitTask,
  fetchBranch,
  hubTip,
  openTaskBranch,
} from "../../../src/effects/fleet/task-branch.ts";
import { createGit, type Git, needOf } from "../../../src/effects/git/git-program.ts";
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

test("a branch of the hub that is deleted while it is fetched is told as none; another failure is one", async () => {
  using box = createSandbox();
  box.write({ "a.txt": "1\n" });
  box.commit();
  box.git("branch", "work");
  const hub = join(box.folder, "hub");
  box.git("clone", "--quiet", box.project, hub);
  box.git("-C", hub, "branch", "work");
  box.git("-C", hub, "commit", "--quiet", "--allow-empty", "-m", "new");
  box.git("-C", hub, "branch", "--force", "work", "HEAD");
  const own = createGit(box.project, box.env);
  const instead = (run: Git["run"]): Git => ({ ...own, run, need: needOf(run) });
  const deleting = instead((args) => {
    if (args[0] === "fetch") box.git("-C", hub, "branch", "-D", "work");
    return own.run(args);
  });
  expect(await fetchBranch(deleting, hub, "work")).toBe(null);
  const refused = instead((args) => own.run(args[0] === "fetch" ? ["fetch", "--no-such"] : args));
  await expect(fetchBranch(refused, hub, "main")).rejects.toThrow("`git fetch` failed: error: unknown option");
});

test("the branch of a task has its words without their accents", () => {
  expect(branchOfTask({ id: "0123456789ab", text: "Prüfe das Café, 漢字" })).toBe("ralph/prufe-das-cafe-0123456789ab");
});

test("the subject of a task's commit is cut between characters", async () => {
  using box = createSandbox();
  box.write({ "a.txt": "1\n" });
  const task = { id: "0123456789ab", text: `${"x".repeat(69)} \u{1f389}\u{1f389} and more` };
  await commitTask(createGit(box.project, box.env), { task, run: "r", isDone: true, isAgain: false });
  expect(box.git("log", "-1", "--format=%s")).toBe(`${"x".repeat(69)}…`);
});

test("a checkout of the branch that somebody removed is forgotten, and no other one: its disk may be away", async () => {
  using box = createSandbox();
  box.write({ "a.txt": "1\n" });
  box.commit();
  const [gone, away, worker] = ["gone", "away", "worker"].map((name) => join(box.folder, name)) as [
    string,
    string,
    string,
  ];
  box.git("worktree", "add", "--quiet", "-b", "ralph/one", gone);
  for (const dir of [away, worker]) box.git("worktree", "add", "--quiet", "--detach", dir);
  rmSync(gone, { recursive: true });
  renameSync(away, `${away}-disk`);
  const at = { target: "main", hub: box.path(".git"), own: [], builtOn: [], isReturned: false, isKept: false };
  await openTaskBranch(createGit(worker, box.env), { ...at, branch: "ralph/one" });
  expect(box.git("-C", worker, "branch", "--show-current")).toBe("ralph/one");
  renameSync(`${away}-disk`, away);
  expect(box.git("-C", away, "status", "--porcelain")).toBe("");
});
