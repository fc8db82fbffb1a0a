/** Checkpoints of projects with repositories inside, by real git. */
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createSandbox, openSandbox, type Sandbox } from "../git/git-sandbox.ts";
import { repositoryIn, submoduleIn } from "../git/inside.ts";
import { FILES, work } from "../git/repository-shapes.ts";
import { checkpointsOf, faults, image } from "./kept.ts";

const LIB = { "lib.c": "int x;\n", "src/deep.c": "int d;\n" };

describe.each([
  ["a submodule", submoduleIn],
  ["a repository that the index does not know", repositoryIn],
] as const)("the files of %s", (_, make) => {
  test("come back, whatever was done to them; its commits, branch and index stay", async () => {
    using box = createSandbox();
    const inside = make(box, "lib", { ...FILES, "lib.c": "int x;\n" } as Record<string, string>);
    const { commit, back } = checkpointsOf(box);
    const first = image(box.project);
    const start = await commit("1.before");
    work(inside, inside.project);
    const worked = image(box.project);
    const end = await commit("1");
    const made = inside.commit();
    expect((await back(start)).left).toEqual([]);
    expect(image(box.project)).toEqual(first);
    expect(inside.git("rev-parse", "HEAD")).toBe(made);
    expect((await back(end)).left).toEqual([]);
    expect(image(box.project)).toEqual(worked);
    expect(faults(box)).toBe("");
  });

  test("come back when the whole folder is gone, and its objects with it", async () => {
    using box = createSandbox();
    make(box, "lib", LIB);
    const first = image(box.project);
    const start = await checkpointsOf(box).commit("1.before");
    rmSync(box.path("lib"), { recursive: true });
    rmSync(box.path(".git/modules"), { recursive: true, force: true });
    box.git("gc", "--quiet", "--prune=now");
    expect(faults(box)).toBe("");
    expect((await checkpointsOf(box).back(start)).left).toEqual([]);
    expect(image(box.project)).toEqual(first);
  });

  test.each([
    ["the repository is left", false],
    ["its .git went too", true],
  ])("come back when all of them are gone and %s", async (_, isGitGone) => {
    using box = createSandbox();
    make(box, "lib", LIB);
    const first = image(box.project);
    const { commit, back } = checkpointsOf(box);
    const start = await commit("1.before");
    for (const name of ["lib.c", "src", ...(isGitGone ? [".git"] : [])])
      rmSync(box.path(`lib/${name}`), { recursive: true });
    const end = await commit("1");
    const changed = box.git("diff", "--name-status", start, end, "--", ":!.ralph").split("\n");
    expect(changed.slice(isGitGone ? -2 : 0)).toEqual(["D\tlib/lib.c", "D\tlib/src/deep.c"]);
    expect((await back(start)).left).toEqual([]);
    expect(image(box.project)).toEqual(first);
  });

  test.each([
    ["is gone", () => {}],
    ["is another, without a commit", (inside: Sandbox) => void inside.git("init", "--quiet")],
  ])("are in a sound checkpoint when its .git %s", async (_, then) => {
    using box = createSandbox();
    const inside = make(box, "lib", LIB);
    const first = image(box.project);
    rmSync(box.path("lib/.git"), { recursive: true });
    then(inside);
    const { commit, back } = checkpointsOf(box);
    const start = await commit("1.before");
    expect(faults(box)).toBe("");
    rmSync(box.path("lib/lib.c"));
    expect((await back(start)).left).toEqual([]);
    expect(image(box.project)).toEqual(first);
  });

  test("are the same tree to a next process, after a git gc too", async () => {
    using box = createSandbox();
    make(box, "lib", LIB);
    const tree = (commit: string) => box.git("rev-parse", `${commit}^{tree}`);
    const first = tree(await checkpointsOf(box).commit("1.before"));
    expect(tree(await checkpointsOf(box).commit("2.before"))).toBe(first);
    box.git("gc", "--quiet");
    expect(tree(await checkpointsOf(box).commit("3.before"))).toBe(first);
  });

  test("that its rules ignored stay, whatever an agent made of the rules or the repository since", async () => {
    using box = createSandbox();
    const inside = make(box, "lib", { ...LIB, ".gitignore": "*.o\n" });
    const exclude = join(inside.git("rev-parse", "--absolute-git-dir"), "info", "exclude");
    writeFileSync(exclude, "/notes\n");
    inside.write({ "a.o": "mine\n", notes: "mine\n", "src/notes": "counted\n" });
    const { commit, back } = checkpointsOf(box);
    const start = await commit("1.before");
    rmSync(inside.path(".git"), { recursive: true });
    inside.write({ ".gitignore": "", "src/notes": "changed\n", "new.c": "int n;\n" });
    const result = await back(start);
    expect(result).toMatchObject({ left: [], set_aside: [] });
    const kept = ["a.o", "notes", "src/notes", ".gitignore"].map((name) => readFileSync(inside.path(name), "utf8"));
    expect(kept).toEqual(["mine\n", "mine\n", "counted\n", "*.o\n"]);
    expect(existsSync(inside.path("new.c"))).toBeFalse();
  });

  test("are kept byte for byte where git converts them", async () => {
    using box = createSandbox();
    const inside = make(box, "lib", { ...LIB, ".gitattributes": "*.txt text eol=crlf\n", "a.txt": "1\n2\n" });
    inside.git("config", "core.autocrlf", "true");
    for (const name of ["a.txt", "lib.c"]) {
      rmSync(inside.path(name));
      inside.git("checkout", "--", name);
    }
    expect(readFileSync(inside.path("a.txt"), "utf8")).toBe("1\r\n2\r\n");
    const first = image(box.project);
    const { commit, back } = checkpointsOf(box);
    const start = await commit("1.before");
    inside.write({ "a.txt": "3\n", "lib.c": "int y;\n" });
    await back(start);
    expect(image(box.project)).toEqual(first);
  });
});

test("a submodule that was checked out since is left as it is, and named", async () => {
  using box = createSandbox();
  submoduleIn(box, "lib", LIB);
  box.git("submodule", "--quiet", "deinit", "--force", "lib");
  const { commit, back } = checkpointsOf(box);
  const start = await commit("1.before");
  box.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init");
  box.write({ "a.txt": "new\n" });
  expect(await back(start)).toMatchObject({ deleted: 1, left: ["lib (a submodule)"] });
  expect(readFileSync(box.path("lib/lib.c"), "utf8")).toBe("int x;\n");
});

test("a repository of another format inside is kept too", async () => {
  using box = createSandbox();
  box.write({ "a.txt": "1\n" });
  mkdirSync(box.path("lib"));
  box.gitIn(box.path("lib"), "init", "--quiet", "--object-format=sha256");
  const lib = openSandbox(box.folder, box.path("lib"));
  lib.write(LIB);
  lib.commit();
  const first = image(box.project);
  const { commit, back } = checkpointsOf(box);
  const start = await commit("1.before");
  for (const name of Object.keys(LIB)) rmSync(lib.path(name));
  const empty = await commit("1");
  expect((await back(start)).left).toEqual([]);
  expect(image(box.project)).toEqual(first);
  expect((await back(empty)).left).toEqual([]);
  expect(faults(box)).toBe("");
});

test.each([
  ["the root of its repository", ""],
  ["a folder of it", "app"],
])(
  "other checkouts of the repository are known, at %s: an undo leaves their files where an agent took the .git away",
  async (_, below) => {
    using box = createSandbox();
    const at = below === "" ? box : openSandbox(box.folder, box.path(below));
    at.write({ "a.txt": "1\n" });
    box.commit();
    box.git("worktree", "add", "--quiet", at.path("vendor/lib"));
    at.write({ "vendor/lib/b.txt": "mine\n", "vendor/lib/deep/c.txt": "mine\n" });
    const { commit, back } = checkpointsOf(at);
    const start = await commit("1.before");
    rmSync(at.path("vendor/lib/.git"), { recursive: true });
    at.write({ "a.txt": "2\n", "vendor/new.txt": "new\n", "vendor/lib/b.txt": "changed\n" });
    const end = await commit("1");
    expect(await back(start)).toEqual({
      ...{ written: 1, deleted: 1, set_aside: [] },
      left: ["vendor/lib/ (a repository of its own then)"],
    });
    const now = () =>
      ["vendor/lib/b.txt", "vendor/lib/deep/c.txt", "a.txt"].map((path) => readFileSync(at.path(path), "utf8"));
    expect(now()).toEqual(["changed\n", "mine\n", "1\n"]);
    rmSync(at.path("vendor/lib"), { recursive: true });
    expect((await back(end)).left).toEqual([]);
    expect(now()).toEqual(["changed\n", "mine\n", "2\n"]);
    expect(faults(box)).toBe("");
  },
);

describe.skipIf(process.platform === "win32")("what only the user may read is in no checkpoint", () => {
  /** Every object of a repository, as text. */
  const objects = (box: Sandbox) => box.git("cat-file", "--batch-all-objects", "--batch", "--unordered");
  const secretOf = (box: Sandbox) => {
    const path = join(box.folder, "home", "key");
    writeFileSync(path, "BEGIN PRIVATE KEY\n.gitignore\n");
    return path;
  };

  test("by a .gitignore that is a link, which another one ignores", async () => {
    using box = createSandbox();
    box.write({ ".gitignore": "/sub/.gitignore\n", "sub/a.txt": "1\n" });
    symlinkSync(secretOf(box), box.path("sub/.gitignore"));
    await checkpointsOf(box).commit("1");
    expect(objects(box)).not.toContain("PRIVATE KEY");
  });

  test("by a repository inside whose rules or settings lead there", async () => {
    using box = createSandbox();
    box.write({ "a.txt": "1\n" });
    const inner = repositoryIn(box, "inner", LIB);
    rmSync(inner.path(".git/info/exclude"), { force: true });
    mkdirSync(inner.path(".git/info"), { recursive: true });
    symlinkSync(secretOf(box), inner.path(".git/info/exclude"));
    inner.git("config", "core.excludesFile", secretOf(box));
    await checkpointsOf(box).commit("1");
    expect(objects(box)).toContain("int x;");
    expect(objects(box)).not.toContain("PRIVATE KEY");
  });
});
