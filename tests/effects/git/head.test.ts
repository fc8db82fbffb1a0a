import { expect, test } from "bun:test";
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { readHead } from "../../../src/effects/git/refs.ts";
import { discoverRepository } from "../../../src/effects/git/repository.ts";
import { createWorkspace } from "../../../src/effects/project/workspace.ts";
import { createSandbox, openSandbox, type Sandbox } from "./git-sandbox.ts";

/** Makes a repository of some shape; returns the folder to examine if it is not the project. */
const shapes: Record<string, (box: Sandbox) => string | undefined> = {
  "a plain repository": (box) => void box.commit(),
  "packed refs": (box) => {
    box.commit();
    box.git("branch", "maintenance/main");
    box.git("pack-refs", "--all");
  },
  "packed refs that a loose one overrules": (box) => {
    box.commit();
    box.git("pack-refs", "--all");
    box.commit();
  },
  "a repository after gc": (box) => {
    box.commit();
    box.git("gc", "--quiet");
  },
  "a detached HEAD": (box) => {
    box.commit();
    box.git("checkout", "--quiet", "--detach");
  },
  "a branch with slashes": (box) => {
    box.commit();
    box.git("checkout", "--quiet", "-b", "feature/a+b/c");
    box.git("pack-refs", "--all");
  },
  "a branch without commits": () => undefined,
  "a linked worktree": (box) => {
    box.commit();
    box.git("worktree", "add", "--quiet", "-b", "side", "../side");
    box.gitIn(join(box.folder, "side"), "commit", "--quiet", "--allow-empty", "--message", "side");
    return join(box.folder, "side");
  },
  "a linked worktree on a packed branch": (box) => {
    box.commit();
    box.git("worktree", "add", "--quiet", "-b", "side", "../side");
    box.git("pack-refs", "--all");
    return join(box.folder, "side");
  },
  "a submodule": (box) => {
    withSubmodule(box);
    return box.path("lib");
  },
  "a sub-folder of a repository": (box) => {
    box.write({ "a/b/c.txt": "c" });
    box.commit();
    return box.path("a", "b");
  },
  "a shallow clone": (box) => {
    box.commit();
    box.commit();
    box.gitIn(box.folder, "clone", "--quiet", "--depth=1", `file://${box.project}`, "clone");
    return join(box.folder, "clone");
  },
  "a clone with alternates": (box) => {
    box.commit();
    box.gitIn(box.folder, "clone", "--quiet", "--shared", "project", "clone");
    return join(box.folder, "clone");
  },
  "sha256 ids": (box) => {
    rmSync(box.path(".git"), { recursive: true });
    box.git("init", "--quiet", "--object-format=sha256", "--initial-branch=main");
    box.commit();
  },
  "a branch that points to another": (box) => {
    box.commit();
    box.git("symbolic-ref", "refs/heads/alias", "refs/heads/main");
    box.git("symbolic-ref", "HEAD", "refs/heads/alias");
  },
  "a repository elsewhere, by a .git file": (box) => {
    box.gitIn(box.folder, "init", "--quiet", "--separate-git-dir", "store", "separate");
    const separate = join(box.folder, "separate");
    box.gitIn(separate, "commit", "--quiet", "--allow-empty", "--message", "a");
    return separate;
  },
};

function withSubmodule(box: Sandbox): void {
  const lib = openSandbox(box.folder, join(box.folder, "lib"));
  mkdirSync(lib.project);
  lib.git("init", "--quiet", "--initial-branch=main");
  lib.write({ "lib.c": "int x;\n" });
  lib.commit();
  box.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", lib.project, "lib");
  box.commit();
}

test.each(Object.keys(shapes))("HEAD and its branch equal git's own for %s", (shape) => {
  using box = createSandbox();
  const folder = shapes[shape]?.(box) ?? box.project;
  const ask = (...args: string[]) => {
    try {
      return box.gitIn(folder, ...args);
    } catch {
      return null;
    }
  };
  const repository = discoverRepository(folder);
  expect(repository).not.toBeNull();
  if (repository === null) return;
  expect(repository.root).toBe(resolve(box.gitIn(folder, "rev-parse", "--show-toplevel")));
  const branch = ask("symbolic-ref", "--quiet", "--short", "HEAD");
  expect(readHead(repository)).toEqual({ oid: ask("rev-parse", "--verify", "--quiet", "HEAD"), branch });
  expect(createWorkspace(folder, { env: box.env }).head()).toBe(readHead(repository).oid);
});

test("a folder outside every repository has no HEAD", () => {
  using box = createSandbox("plain");
  expect(discoverRepository(box.project)).toBeNull();
  expect(box.workspace().head()).toBeNull();
  expect(box.workspace().isGitRepository).toBeFalse();
});

test("an empty .git folder is skipped, as in git", () => {
  using box = createSandbox();
  mkdirSync(box.path("inner", ".git"), { recursive: true });
  expect(discoverRepository(box.path("inner"))?.root).toBe(box.project);
});

test.each(["gitdir: .git", "gitdir: /nowhere", "gitdir: ..", "nonsense", ""])(
  "a .git file with %p is not a repository and ends the search",
  (text) => {
    using box = createSandbox();
    box.write({ "inner/.git": text });
    expect(discoverRepository(box.path("inner"))).toBeNull();
  },
);

test("circular links end the search", () => {
  using box = createSandbox("plain");
  symlinkSync(box.path(".git"), box.path(".git"));
  expect(discoverRepository(box.project)).toBeNull();
});

test("a ref to itself, or out of the repository, gives no commit", () => {
  using box = createSandbox();
  box.commit();
  const repository = discoverRepository(box.project);
  if (repository === null) throw new Error("no repository");
  box.write({ ".git/refs/heads/loop": "ref: refs/heads/loop\n", ".git/HEAD": "ref: refs/heads/loop\n" });
  expect(readHead(repository).oid).toBeNull();
  writeFileSync(join(box.folder, "outside"), `${"a".repeat(40)}\n`);
  box.write({ ".git/HEAD": "ref: refs/../../../outside\n" });
  expect(readHead(repository).oid).toBeNull();
});

test("GIT_DIR in the environment is ignored", () => {
  using box = createSandbox();
  const oid = box.commit();
  expect(createWorkspace(box.project, { env: { ...box.env, GIT_DIR: "/nowhere", GIT_WORK_TREE: "/" } }).head()).toBe(
    oid,
  );
});

test("a repository that appears during the run is found", async () => {
  using box = createSandbox("plain");
  box.write({ "a.txt": "a" });
  const workspace = box.workspace();
  const before = await workspace.snapshot();
  box.git("init", "--quiet");
  const oid = box.commit();
  expect(workspace.isGitRepository).toBeTrue();
  expect(await workspace.changes(before, await workspace.snapshot())).toEqual({
    files: [],
    commits: [oid],
    headMoved: true,
  });
});

/** git 2.39 cannot make a reftable, so the test makes its files. */
function asReftable(box: Sandbox): void {
  box.write({ "a.txt": "a" });
  box.commit();
  box.git("config", "core.repositoryformatversion", "1");
  box.git("config", "extensions.refstorage", "reftable");
  box.write({ ".git/HEAD": "ref: refs/heads/.invalid\n", ".git/reftable/tables.list": "1.ref\n" });
}

test("refs in a reftable without a git program: files still count, with one warning", async () => {
  using box = createSandbox();
  asReftable(box);
  const workspace = createWorkspace(box.project, { env: { ...box.env, PATH: box.folder } });
  const before = await workspace.snapshot();
  box.write({ "a.txt": "b" });
  expect(await workspace.changes(before, await workspace.snapshot())).toEqual({
    files: ["a.txt"],
    commits: [],
    headMoved: false,
  });
  expect(workspace.warnings).toEqual([expect.stringContaining("reftable")]);
});

test.skipIf(process.platform === "win32")("refs in a reftable are read by a git program, once per table", () => {
  using box = createSandbox();
  asReftable(box);
  const git = join(box.folder, "git");
  const calls = join(box.folder, "calls");
  writeFileSync(
    git,
    `#!/bin/sh\necho x >> ${calls}\ncase "$*" in *symbolic-ref*) echo refs/heads/main;; *) echo ${"b".repeat(40)};; esac\n`,
  );
  chmodSync(git, 0o755);
  const workspace = createWorkspace(box.project, { env: { ...box.env, PATH: `${box.folder}:/bin:/usr/bin` } });
  expect([workspace.head(), workspace.head()]).toEqual(["b".repeat(40), "b".repeat(40)]);
  expect(Bun.file(calls).size).toBe(4);
  box.write({ ".git/reftable/tables.list": "1.ref\n2.ref\n" });
  workspace.head();
  expect(Bun.file(calls).size).toBe(8);
  expect(workspace.warnings).toEqual([]);
});
