/** What a hub's refs are asked of, and what is fetched. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { hubRefs, isOwnRepository } from "../../../src/effects/fleet/hub-refs.ts";
import { fetchBranch } from "../../../src/effects/fleet/task-branch.ts";
import { createGit, type Git, needOf } from "../../../src/effects/git/git-program.ts";
import { createSandbox, type Sandbox } from "../git/git-sandbox.ts";

/** A git that tells its commands. */
function heard(box: Sandbox, dir = box.project): { git: Git; commands: string[] } {
  const own = createGit(dir, box.env);
  const commands: string[] = [];
  const run: Git["run"] = (args, options) => {
    commands.push(args[0] ?? "");
    return own.run(args, options);
  };
  return { git: { dir, run, need: needOf(run) }, commands };
}

function committed(box: Sandbox): string {
  box.write({ "a.txt": "1\n" });
  return box.commit();
}

test("the own repository is told in each of its folders; no other is, and no remote of that name", () => {
  using box = createSandbox();
  committed(box);
  const tree = join(box.folder, "tree");
  box.git("worktree", "add", "--quiet", "--detach", tree);
  const clone = join(box.folder, "clone");
  box.git("clone", "--quiet", box.project, clone);
  const isOwn = (dir: string, hub: string) => isOwnRepository(createGit(dir, box.env), hub);
  for (const dir of [box.project, tree])
    expect(
      [box.path(".git"), box.project, tree, clone, join(clone, ".git"), "origin", "tree"].map((hub) => isOwn(dir, hub)),
    ).toEqual([true, true, true, false, false, false, false]);
  expect(isOwn(box.project, ".git")).toBe(true);
  expect(isOwn(clone, box.project)).toBe(false);
  expect(isOwn(join(box.folder, "none"), box.project)).toBe(false);
});

test("the own repository is asked by one program, and nothing is fetched from it", async () => {
  using box = createSandbox();
  const commit = committed(box);
  box.git("branch", "-M", "main");
  const { git, commands } = heard(box);
  expect(await fetchBranch(git, box.path(".git"), "main")).toBe(commit);
  expect(await fetchBranch(git, box.path(".git"), "gone")).toBe(null);
  expect(commands).toEqual(["for-each-ref", "for-each-ref"]);
  expect(await hubRefs(git, box.path(".git"), "refs/heads")).toEqual(new Map([["refs/heads/main", commit]]));
});

test("from another repository a branch is fetched once, and again when a part of it is not here", async () => {
  using box = createSandbox();
  committed(box);
  box.git("branch", "-M", "main");
  const hub = join(box.folder, "hub.git");
  const clone = join(box.folder, "clone");
  box.git("clone", "--quiet", "--bare", box.project, hub);
  box.git("clone", "--quiet", hub, clone);
  box.write({ "b.txt": "2\n" });
  const next = box.commit();
  box.git("push", "--quiet", hub, "HEAD:main");
  const { git, commands } = heard(box, clone);
  expect(await fetchBranch(git, hub, "main")).toBe(next);
  expect(await fetchBranch(git, hub, "main")).toBe(next);
  expect(commands).toEqual(["ls-remote", "rev-list", "fetch", "ls-remote", "rev-list"]);
  // Its commit alone, without the file that it adds: as what was cleared away in part.
  const other = join(box.folder, "other");
  box.git("clone", "--quiet", "--no-local", "--no-checkout", clone, other);
  const text = box.git("-C", clone, "cat-file", "commit", next);
  const part = heard(box, other);
  expect(
    (await part.git.run(["hash-object", "-w", "-t", "commit", "--stdin"], { input: `${text}\n` })).stdout.trim(),
  ).toBe(next);
  expect(await fetchBranch(part.git, hub, "main")).toBe(next);
  expect(part.commands).toEqual(["hash-object", "ls-remote", "rev-list", "fetch"]);
  expect(box.git("-C", other, "show", `${next}:b.txt`)).toBe("2");
});
