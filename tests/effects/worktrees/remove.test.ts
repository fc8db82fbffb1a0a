/** A worktree goes only when its work is elsewhere, or by force; never without a checkpoint. */
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { JOURNAL_FILE } from "../../../src/effects/journal/journal-read.ts";
import { takeLock } from "../../../src/effects/journal/lock.ts";
import { startTimeOf } from "../../../src/effects/process-tree/process-tree.ts";
import { removeWorktree } from "../../../src/effects/worktrees/remove.ts";
import { listWorktrees } from "../../../src/effects/worktrees/worktrees.ts";
import { refusal, type WorktreeSandbox, worktreeSandbox } from "./worktree-sandbox.ts";

const remove = (at: WorktreeSandbox, name: string, force = false, project = at.project) =>
  removeWorktree({ project, name, force, env: at.env });

function commitIn(at: WorktreeSandbox, root: string, files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) writeFileSync(join(root, path), content);
  at.gitIn(root, "add", "--all");
  at.gitIn(root, "commit", "--quiet", "--message", "work");
}

const branches = (at: WorktreeSandbox) => at.git("for-each-ref", "--format=%(refname:short)", "refs/heads").split("\n");

describe("a worktree that has landed", () => {
  test("goes, with its branch, its ports and everything of it but a checkpoint", async () => {
    using at = worktreeSandbox();
    at.commit();
    const { root } = await at.open("x");
    commitIn(at, root, { "new.txt": "new\n" });
    at.git("merge", "--quiet", "--no-ff", "ralph/x");
    const { checkpoint, ...removed } = await remove(at, "x");
    expect(removed).toEqual({ name: "x", branch: "ralph/x", branch_kept: false, journals: null, ticked: [] });
    expect(at.git("show", `${checkpoint}:new.txt`)).toBe("new");
    expect(branches(at)).toEqual(["main"]);
    expect(existsSync(at.path(".ralph", "worktrees"))).toBe(false);
    expect(at.git("worktree", "list", "--porcelain").split("\n\n").length).toBe(1);
    const ports = join(at.env.HOME ?? "", ".local", "state", "ralph", "ports");
    expect(readdirSync(ports).filter((name) => name.endsWith(".json"))).toEqual([]);
    at.git("fsck", "--strict");
  });

  test("keeps a branch that is locked, and says so", async () => {
    using at = worktreeSandbox();
    at.commit();
    commitIn(at, (await at.open("x")).root, { "new.txt": "new\n" });
    at.git("merge", "--quiet", "ralph/x");
    at.write({ ".git/refs/heads/ralph/x.lock": "" });
    expect([(await remove(at, "x")).branch_kept, branches(at)]).toEqual([true, ["main", "ralph/x"]]);
  });

  test("may be merged into any branch of the owner's, also on a remote, but not into one of ralph's", async () => {
    using at = worktreeSandbox();
    at.commit();
    for (const name of ["a", "b", "c"]) commitIn(at, (await at.open(name)).root, { [name]: name });
    at.git("branch", "topic", "ralph/a");
    at.git("update-ref", "refs/remotes/origin/main", at.git("rev-parse", "ralph/b"));
    at.git("branch", "ralph/other", "ralph/c");
    at.git("update-ref", "refs/remotes/origin/ralph/c", at.git("rev-parse", "ralph/c"));
    expect((await remove(at, "a")).branch_kept).toBe(false);
    expect((await remove(at, "b")).branch_kept).toBe(false);
    expect(await refusal(remove(at, "c"))).toBe("ralph/c of the worktree c is merged into no other branch yet.");
  });

  test("stays for changes that no commit has; plan, settings and what came along do not count", async () => {
    using at = worktreeSandbox();
    at.commit();
    at.write({ "PROMPT-more.md": "More.\n" });
    const { root, project } = await at.open("x");
    writeFileSync(join(project, ".ralph", "fix_plan.md"), "- [x] one\n");
    writeFileSync(join(root, "new.txt"), "new\n");
    writeFileSync(join(root, "src.txt"), "changed\n");
    expect(await refusal(remove(at, "x"))).toBe("The worktree x has changes that are in no commit: src.txt and 1 more");
    expect(existsSync(root)).toBe(true);
    rmSync(join(root, "new.txt"));
    at.gitIn(root, "checkout", "--", "src.txt");
    const { checkpoint } = await remove(at, "x");
    expect(at.git("show", `${checkpoint}:.ralph/fix_plan.md`)).toBe("- [x] one");
    expect(at.git("show", `${checkpoint}:PROMPT-more.md`)).toBe("More.");
  });
});

describe("a worktree that is removed by force", () => {
  test("leaves its branch, and its files in a checkpoint", async () => {
    using at = worktreeSandbox();
    at.write({ "apps/web/index.html": "hello\n", "apps/web/.ralph/fix_plan.md": "- [ ] web\n" });
    at.commit();
    const owner = at.path("apps", "web");
    const { root } = await at.open("x", { project: owner });
    commitIn(at, root, { "src.txt": "committed\n" });
    writeFileSync(join(root, "beside.txt"), "beside the project\n");
    writeFileSync(join(root, "apps", "web", ".ralph", "fix_plan.md"), "- [x] web\n");
    const { checkpoint, branch_kept } = await remove(at, "x", true, owner);
    expect(branch_kept).toBe(true);
    expect(at.git("show", "ralph/x:src.txt")).toBe("committed");
    expect(at.git("show", `${checkpoint}:beside.txt`)).toBe("beside the project");
    const refs = at.git("for-each-ref", "--format=%(refname)", "refs/ralph").split("\n");
    const plans = refs.map((ref) => at.git("ls-tree", "-r", "--name-only", ref).split("\n"));
    const withPlan = plans.findIndex((paths) => paths.includes("index.html"));
    expect(at.git("show", `${refs[withPlan]}:.ralph/fix_plan.md`)).toBe("- [x] web");
    at.git("fsck", "--strict");
  });

  test("keeps the commits of a detached HEAD", async () => {
    using at = worktreeSandbox();
    at.commit();
    const { root } = await at.open("x");
    at.gitIn(root, "checkout", "--quiet", "--detach");
    commitIn(at, root, { "new.txt": "new\n" });
    const head = at.gitIn(root, "rev-parse", "HEAD");
    expect(await refusal(remove(at, "x"))).toContain("is merged into no other branch yet.");
    const { checkpoint } = await remove(at, "x", true);
    expect(at.git("rev-list", checkpoint ?? "")).toContain(head);
  });

  test("keeps its journals", async () => {
    using at = worktreeSandbox();
    at.commit();
    const { project } = await at.open("x");
    const run = "0001-20261123-101112";
    mkdirSync(join(project, ".ralph", "runs", run), { recursive: true });
    writeFileSync(join(project, ".ralph", "runs", run, JOURNAL_FILE), "{}\n");
    const { journals, checkpoint } = await remove(at, "x", true);
    expect(journals).toBe(at.path(".ralph", "worktrees", ".past", "x"));
    expect(readdirSync(journals ?? "").length).toBe(1);
    expect(checkpoint).toContain("refs/ralph/");
    expect(listWorktrees(at.project)).toEqual([]);
  });

  test("stays while a run lives in it", async () => {
    using at = worktreeSandbox();
    at.commit();
    const { project } = await at.open("x");
    const lock = takeLock(join(project, ".ralph", "lock"), {
      pid: process.pid,
      startTime: startTimeOf(process.pid),
      run: "r1",
    });
    expect(await refusal(remove(at, "x", true))).toBe(`A run lives in the worktree x (r1, pid ${process.pid}).`);
    if (lock.held) lock.release();
    await remove(at, "x", true);
    expect(existsSync(project)).toBe(false);
  });

  test("stays for a submodule with work that is nowhere else", async () => {
    using at = worktreeSandbox();
    at.gitIn(at.folder, "init", "--quiet", "library");
    at.gitIn(join(at.folder, "library"), "commit", "--quiet", "--allow-empty", "-m", "first");
    at.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../library", "library");
    at.commit();
    const { root } = await at.open("x");
    at.gitIn(root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init");
    writeFileSync(join(root, "library", "new.txt"), "new\n");
    const why = "The submodule library of the worktree x has work that is nowhere else, and no checkpoint holds it.";
    expect(await refusal(remove(at, "x", true))).toBe(why);
    at.gitIn(join(root, "library"), "add", "-A");
    at.gitIn(join(root, "library"), "commit", "--quiet", "-m", "work");
    expect(await refusal(remove(at, "x", true))).toBe(why);
    at.gitIn(join(root, "library"), "checkout", "--quiet", "--detach", "HEAD~1");
    expect(await refusal(remove(at, "x", true))).not.toBe(why);
  });

  test("stays for a repository in it with work that is nowhere else", async () => {
    using at = worktreeSandbox();
    at.commit();
    const { root } = await at.open("x");
    const inner = join(root, "tools", "inner");
    mkdirSync(inner, { recursive: true });
    at.gitIn(inner, "init", "--quiet");
    const refused =
      "The repository tools/inner/ in the worktree x has work that is nowhere else, and no checkpoint holds it.";
    writeFileSync(join(inner, "i.txt"), "i\n");
    expect(await refusal(remove(at, "x", true))).toBe(refused);
    commitIn(at, inner, { "i.txt": "i\n" });
    expect(await refusal(remove(at, "x", true))).toBe(refused);
    at.gitIn(inner, "update-ref", "refs/remotes/origin/main", "HEAD");
    expect((await remove(at, "x", true)).name).toBe("x");
  });

  test("stays for a repository in it that was added as if it were a submodule, until that has its work elsewhere", async () => {
    using at = worktreeSandbox();
    at.commit();
    const { root } = await at.open("x");
    const inner = join(root, "inner");
    mkdirSync(inner);
    at.gitIn(inner, "init", "--quiet");
    commitIn(at, inner, { "i.txt": "i\n" });
    commitIn(at, root, {});
    expect(await refusal(remove(at, "x", true))).toBe(
      "The submodule inner of the worktree x has work that is nowhere else, and no checkpoint holds it.",
    );
    at.gitIn(inner, "update-ref", "refs/remotes/origin/main", "HEAD");
    expect((await remove(at, "x", true)).name).toBe("x");
  });

  test("keeps what lies in .ralph and in no commit, but not what ralph wrote there", async () => {
    using at = worktreeSandbox();
    at.commit();
    const { root, project } = await at.open("x");
    writeFileSync(join(project, ".ralph", "PROMPT.md"), "Edited there.\n");
    mkdirSync(join(project, ".ralph", "notes"));
    writeFileSync(join(project, ".ralph", "notes", "n.md"), "found\n");
    writeFileSync(join(project, ".ralph", "status.json"), "{}\n");
    const { checkpoint } = await remove(at, "x");
    expect(existsSync(root)).toBe(false);
    const kept = at.git("ls-tree", "-r", "--name-only", checkpoint ?? "").split("\n");
    expect(kept).toEqual([".ralph/PROMPT.md", ".ralph/fix_plan.md", ".ralph/notes/n.md", "src.txt"]);
    expect(at.git("show", `${checkpoint}:.ralph/PROMPT.md`)).toBe("Edited there.");
  });

  test("stays if a file of it cannot be kept, or git does not know it any more", async () => {
    using at = worktreeSandbox();
    at.commit();
    const { root } = await at.open("x");
    const objects = at.path(".git", "objects");
    rmSync(join(root, ".git"));
    expect(await refusal(remove(at, "x", true))).toBe(`The worktree x has files and no .git in ${root}.`);
    expect(await refusal(at.open("x"))).toBe(`The worktree x has files and no .git in ${root}.`);
    at.git("worktree", "repair");
    await at.open("x");
    expect(readFileSync(join(root, "src.txt"), "utf8")).toBe("one\n");
    expect(existsSync(objects)).toBe(true);
  });

  test("that does not exist is named with those that do", async () => {
    using at = worktreeSandbox();
    at.commit();
    await at.open("x");
    expect(await refusal(remove(at, "y"))).toBe(`There is no worktree "y" of ${at.project}.`);
    expect(await refusal(remove(at, "../x"))).toBe(`There is no worktree "../x" of ${at.project}.`);
  });
});
