/** Repositories inside the project: submodules, and those that the index does not know. */
import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { Workspace } from "../../../src/effects/ports.ts";
import { createSandbox, openSandbox, type Sandbox } from "../git/git-sandbox.ts";
import { repositoryIn, submoduleIn } from "../git/inside.ts";

/** What one workspace sees of each of some actions. */
async function seen(workspace: Workspace, ...actions: readonly (() => void)[]): Promise<string[][]> {
  const found: string[][] = [];
  let before = await workspace.snapshot();
  for (const action of actions) {
    action();
    const after = await workspace.snapshot();
    found.push((await workspace.changes(before, after)).files);
    before = after;
  }
  return found;
}

function withRepository(files: Readonly<Record<string, string>> = { "own.c": "int x;\n" }): [Sandbox, Sandbox] {
  const box = createSandbox();
  box.write({ "a.txt": "a\n" });
  box.commit();
  return [box, repositoryIn(box, "inner", files)];
}

describe.each([
  ["a submodule", submoduleIn],
  ["a repository that the index does not know", repositoryIn],
] as const)("work in %s", (_, make) => {
  test("counts by its files, and a commit by the folder", async () => {
    using box = createSandbox();
    const inside = make(box, "lib", { "lib.c": "int x;\n", "src/deep.c": "int d;\n" });
    expect(
      await seen(
        box.workspace(),
        () => inside.write({ "lib.c": "int y;\n", "src/new.c": "int n;\n" }),
        () => void inside.commit(),
        () => void inside.git("checkout", "--quiet", "HEAD~1"),
        () => rmSync(inside.path("src"), { recursive: true }),
        () => {},
      ),
    ).toEqual([["lib/lib.c", "lib/src/new.c"], ["lib"], ["lib", "lib/lib.c", "lib/src/new.c"], ["lib/src/deep.c"], []]);
    // As a project of its own.
    expect((await inside.changes(() => inside.write({ "lib.c": "int z;\n" }))).files).toEqual(["lib.c"]);
  });

  test("counts below a project that is a folder of its repository", async () => {
    using box = createSandbox();
    box.write({ "app/a.txt": "a\n" });
    const inside = make(box, "app/lib", { "lib.c": "int x;\n" });
    const app = openSandbox(box.folder, box.path("app"));
    expect((await app.changes(() => inside.write({ "lib.c": "int y;\n" }))).files).toEqual(["lib/lib.c"]);
  });

  test("goes by the rules there, not by those around it", async () => {
    using box = createSandbox();
    box.write({ ".gitignore": "*.log\n/lib/build/\n" });
    const inside = make(box, "lib", { ".gitignore": "*.o\n", "lib.c": "int x;\n" });
    writeFileSync(join(inside.git("rev-parse", "--absolute-git-dir"), "info", "exclude"), "/notes\n");
    inside.git("add", "--force", "lib.c");
    const work = () => inside.write({ "a.o": "1", notes: "1", "sub/notes": "1", "x.log": "1", "build/y": "1" });
    expect((await box.changes(work)).files).toEqual(["lib/build/y", "lib/sub/notes", "lib/x.log"]);
  });

  test("is the same files to a new process, whatever the index there has of them", async () => {
    using box = createSandbox();
    const inside = make(box, "lib", { "lib.c": "int x;\n", "b.c": "int b;\n" });
    const workspace = box.workspace();
    inside.write({ "lib.c": "int y;\n" });
    const worked = await workspace.snapshot();
    inside.git("add", "lib.c");
    expect(workspace.fingerprint(await workspace.snapshot())).toBe(workspace.fingerprint(worked));
    const fresh = box.workspace();
    expect(fresh.fingerprint(await fresh.snapshot())).toBe(workspace.fingerprint(worked));
  });
});

test("repositories in repositories inside count, to any depth", async () => {
  const [box, inner] = withRepository();
  using _ = box;
  const deep = repositoryIn(inner, "vendor/deep", { "d.c": "int d;\n" });
  expect(
    await seen(
      box.workspace(),
      () => deep.write({ "d.c": "int e;\n" }),
      () => void deep.commit(),
    ),
  ).toEqual([["inner/vendor/deep/d.c"], ["inner/vendor/deep"]]);
});

test("one that the rules around it ignore does not count", async () => {
  const [box, inner] = withRepository();
  using _ = box;
  box.write({ ".gitignore": "inner/\n" });
  const work = () => {
    inner.write({ "own.c": "int y;\n" });
    inner.commit();
  };
  expect((await box.changes(work)).files).toEqual([]);
});

test("a folder with tracked files is a plain one, whatever .git is in it, as git has it", async () => {
  using box = createSandbox();
  box.write({ "mixed/tracked.txt": "t\n" });
  box.commit();
  repositoryIn(box, "mixed", { "own.txt": "o\n" });
  const { files } = await box.changes(() => box.write({ "mixed/new.txt": "x", "mixed/tracked.txt": "x" }));
  expect(files).toEqual(["mixed/new.txt", "mixed/tracked.txt"]);
  expect(box.status()).toEqual(["mixed/new.txt", "mixed/own.txt", "mixed/tracked.txt"]);
});

test("files do not change by a .git that comes, breaks or goes", async () => {
  using box = createSandbox();
  box.write({ "a.txt": "a\n" });
  box.commit();
  box.write({ "inner/own.c": "int x;\n", "inner/deep/b.c": "int b;\n" });
  const inner = openSandbox(box.folder, box.path("inner"));
  expect(
    await seen(
      box.workspace(),
      () => void inner.git("init", "--quiet"),
      () => void inner.commit(),
      () => rmSync(inner.path(".git", "HEAD")),
      () => rmSync(inner.path(".git"), { recursive: true }),
      () => inner.write({ "own.c": "int y;\n" }),
    ),
  ).toEqual([[], ["inner"], ["inner"], [], ["inner/own.c"]]);
});

test("a submodule that is not checked out is an empty folder, and what is written there counts", async () => {
  using box = createSandbox();
  submoduleIn(box, "lib", { "lib.c": "int x;\n" });
  box.git("submodule", "--quiet", "deinit", "--force", "lib");
  expect(
    await seen(
      box.workspace(),
      () => box.write({ "lib/mine.c": "int m;\n" }),
      () => rmSync(box.path("lib/mine.c")),
      () => void box.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init"),
    ),
  ).toEqual([["lib/mine.c"], ["lib/mine.c"], ["lib/lib.c"]]);
});

test("another checkout of the project's repository is work of its own", async () => {
  using box = createSandbox();
  box.write({ "a.txt": "a\n" });
  box.commit();
  box.git("worktree", "add", "--quiet", "other");
  const other = openSandbox(box.folder, box.path("other"));
  const { files } = await box.changes(() => {
    other.write({ "a.txt": "b\n", "new.txt": "n\n" });
    other.commit();
  });
  expect(files).toEqual([]);
});

test("the working tree of a repository elsewhere counts", async () => {
  using box = createSandbox();
  const elsewhere = repositoryIn(openSandbox(box.folder, box.folder), "elsewhere", { "e.c": "int e;\n" });
  elsewhere.git("worktree", "add", "--quiet", box.path("tree"));
  expect((await box.changes(() => box.write({ "tree/e.c": "int f;\n" }))).files).toEqual(["tree/e.c"]);
});

describe.skipIf(process.platform === "win32")("what an agent may lay there", () => {
  const pipe = (path: string) => void Bun.spawnSync(["mkfifo", path]);

  test.each<[string, (inner: Sandbox, box: Sandbox) => void]>([
    ["a pipe for .git", (inner) => pipe(inner.path(".git"))],
    ["a .git that leads nowhere", (inner) => writeFileSync(inner.path(".git"), "gitdir: /nowhere\n")],
    [
      "a .git that leads to a pipe",
      (inner, box) => {
        pipe(box.path(".ralph-pipe"));
        writeFileSync(inner.path(".git"), `gitdir: ${box.path(".ralph-pipe")}\n`);
      },
    ],
    ["a .git that leads to itself", (inner) => symlinkSync(".git", inner.path(".git"))],
    ["an empty .git", (inner) => writeFileSync(inner.path(".git"), "")],
    [
      "a .git of a gigabyte",
      (inner) => {
        writeFileSync(inner.path(".git"), "");
        truncateSync(inner.path(".git"), 2 ** 30);
      },
    ],
  ])("%s makes a plain folder of it", async (_, lay) => {
    const [box, inner] = withRepository();
    using _box = box;
    rmSync(inner.path(".git"), { recursive: true });
    lay(inner, box);
    const { files } = await box.changes(() => inner.write({ "own.c": "int y;\n", "new.c": "int n;\n" }));
    expect(files).toEqual(["inner/new.c", "inner/own.c"]);
  });

  test.each<[string, (git: string) => void]>([
    ["an index that is none", (git) => writeFileSync(join(git, "index"), "DIRC\0\0\0\x02\xff\xff\xff\xffgarbage")],
    [
      "a pipe for an index",
      (git) => {
        rmSync(join(git, "index"));
        pipe(join(git, "index"));
      },
    ],
    [
      "a pipe for rules",
      (git) => {
        rmSync(join(git, "info/exclude"), { force: true });
        pipe(join(git, "info/exclude"));
      },
    ],
    ["settings that include themselves", (git) => writeFileSync(join(git, "config"), "[include]\n\tpath = config\n")],
    [
      "settings that name another format",
      (git) => writeFileSync(join(git, "config"), "[extensions]\n\tobjectFormat = sha256\n\trefStorage = reftable\n"),
    ],
    ["a HEAD that leads out", (git) => writeFileSync(join(git, "HEAD"), "ref: refs/../../../a.txt\n")],
  ])("%s hides no work, and nothing waits", async (_, lay) => {
    const [box, inner] = withRepository();
    using _box = box;
    lay(inner.path(".git"));
    const { files } = await box.changes(() => inner.write({ "own.c": "int y;\n", "new.c": "int n;\n" }));
    expect(files).toEqual(["inner/new.c", "inner/own.c"]);
  });

  test("an index that cannot be read is told with its folder", async () => {
    const [box, inner] = withRepository();
    using _ = box;
    inner.write({ ".git/index": "garbage" });
    const workspace = box.workspace();
    await workspace.snapshot();
    expect(workspace.warnings.join("\n")).toStartWith("inner: the git index could not be read");
  });

  test("rules that lie outside count for nothing: neither by settings nor by a link", async () => {
    const [box, inner] = withRepository();
    using _ = box;
    const secret = join(box.folder, "home", "secret");
    writeFileSync(secret, "*.c\n");
    inner.git("config", "core.excludesFile", secret);
    rmSync(inner.path(".git/info"), { recursive: true, force: true });
    mkdirSync(join(box.folder, "home", "info"));
    writeFileSync(join(box.folder, "home", "info", "exclude"), "*.c\n");
    symlinkSync(join(box.folder, "home", "info"), inner.path(".git/info"));
    expect((await box.changes(() => inner.write({ "new.c": "n" }))).files).toEqual(["inner/new.c"]);
  });

  test("a .git that is the project's own makes another checkout of it, which does not count", async () => {
    const [box, inner] = withRepository();
    using _ = box;
    renameSync(inner.path(".git"), join(box.folder, "old"));
    writeFileSync(inner.path(".git"), "gitdir: ../.git\n");
    expect((await box.changes(() => inner.write({ "new.c": "n" }))).files).toEqual([]);
  });

  test("no program that its settings name is run", async () => {
    const [box, inner] = withRepository();
    using _ = box;
    const ran = join(box.folder, "ran");
    inner.git("config", "core.fsmonitor", `touch ${ran}; false`);
    inner.git("config", "extensions.refStorage", "reftable");
    await box.changes(() => inner.write({ "new.c": "n" }));
    expect(() => readFileSync(ran)).toThrow();
  });
});

test("a .gitignore that is a link counts for nothing, as git has it", async () => {
  using box = createSandbox();
  box.write({ rules: "*.log\n", "a.txt": "a\n" });
  symlinkSync("rules", box.path(".gitignore"));
  box.commit();
  expect((await box.changes(() => box.write({ "x.log": "x" }))).files).toEqual(["x.log"]);
  expect(box.status()).toEqual(["x.log"]);
});
