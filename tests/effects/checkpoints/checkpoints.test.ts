/** Checkpoints in repositories of every shape, by real git. */
import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { objectId, writeLoose } from "../../../src/effects/git/loose-objects.ts";
import { createSandbox, openSandbox } from "../git/git-sandbox.ts";
import { FILES, shapes, work } from "../git/repository-shapes.ts";
import { checkpointsOf, faults, image, standing } from "./kept.ts";

describe("a checkpoint", () => {
  test.each(Object.keys(shapes))("gives the exact files back in %s", async (shape) => {
    using box = createSandbox();
    box.write(FILES);
    box.commit();
    const folder = shapes[shape]?.(box) ?? box.project;
    const at = openSandbox(box.folder, folder);
    const { commit, back } = checkpointsOf(at);
    // Where git is told that the bits mean nothing, they are not kept.
    const files = () =>
      shape === "ignored exec bits"
        ? JSON.parse(JSON.stringify(image(folder)).replaceAll("program", "file"))
        : image(folder);
    const first = files();
    const start = await commit("1.before");
    work(box, folder);
    const worked = files();
    const end = await commit("1");
    expect((await back(start)).left).toEqual([]);
    expect(files()).toEqual(first);
    await back(end);
    expect(files()).toEqual(worked);
    expect(faults(at)).toBe("");
  });

  test("gives the files back in a folder without a repository, in a store that git can read", async () => {
    using box = createSandbox("plain");
    box.write({ ...FILES, "node_modules/x/index.js": "x\n" });
    const { commit, back } = checkpointsOf(box);
    const first = image(box.project);
    const start = await commit("1.before");
    work(box, box.project);
    expect((await back(start)).left).toEqual([]);
    expect(image(box.project)).toEqual(first);
    const store = join(box.project, ".ralph/checkpoints");
    expect(box.gitIn(box.folder, "--git-dir", store, "fsck", "--strict", "--no-dangling", "--no-progress")).toBe("");
    expect(box.gitIn(box.folder, "--git-dir", store, "ls-tree", "-r", "--name-only", start)).not.toContain(
      "node_modules",
    );
  });

  test("outlives a repository that an agent makes or removes", async () => {
    using box = createSandbox("plain");
    box.write({ "a.txt": "1\n" });
    const { commit, back } = checkpointsOf(box);
    const start = await commit("1.before");
    box.git("init", "--quiet");
    box.write({ "a.txt": "2\n" });
    box.commit();
    const made = await commit("1");
    await back(start);
    expect(readFileSync(box.path("a.txt"), "utf8")).toBe("1\n");
    await back(made);
    expect(readFileSync(box.path("a.txt"), "utf8")).toBe("2\n");
  });

  test("touches neither branch, index, stash nor settings, and runs no hook", async () => {
    using box = createSandbox();
    box.write(FILES);
    box.commit();
    box.write({ "README.md": "stashed\n" });
    box.git("stash", "--quiet");
    box.write({ "README.md": "staged\n" });
    box.git("add", "README.md");
    for (const hook of ["pre-commit", "post-commit", "reference-transaction", "post-index-change"]) {
      box.write({ [`.git/hooks/${hook}`]: `#!/bin/sh\ntouch '${box.folder}/ran'\n` });
      chmodSync(box.path(".git/hooks", hook), 0o755);
    }
    const before = standing(box);
    const { commit, back } = checkpointsOf(box);
    const start = await commit("1.before");
    box.write({ "README.md": "work\n" });
    await commit("1");
    await back(start);
    expect(standing(box)).toEqual(before);
    expect(existsSync(join(box.folder, "ran"))).toBe(false);
  });

  test("keeps untracked files, and no ignored ones; what is ignored stays where it is", async () => {
    using box = createSandbox();
    box.write({ ".gitignore": "*.log\n", "new.txt": "new\n", "a.log": "log\n" });
    const { commit, back } = checkpointsOf(box);
    const start = await commit("1.before");
    expect(box.git("ls-tree", "-r", "--name-only", start).split("\n")).toEqual([".gitignore", "new.txt"]);
    rmSync(box.path("new.txt"));
    box.write({ "a.log": "more\n" });
    expect(await back(start)).toEqual({ written: 1, deleted: 0, set_aside: [], left: [] });
    expect(readFileSync(box.path("a.log"), "utf8")).toBe("more\n");
  });

  test("sets aside what is in the way and in no checkpoint", async () => {
    using box = createSandbox();
    box.write({ ".gitignore": "", "deep/a.txt": "1\n" });
    const { commit, back } = checkpointsOf(box);
    const start = await commit("1.before");
    box.write({ ".gitignore": "a.txt\n", "deep/a.txt": "only here\n" });
    expect(await back(start)).toMatchObject({ set_aside: ["deep/a.txt"], left: [] });
    expect(readFileSync(box.path("deep/a.txt"), "utf8")).toBe("1\n");
    expect(readFileSync(box.path(".ralph/runs/0001/undo-1/deep/a.txt"), "utf8")).toBe("only here\n");
  });

  test("never writes through a link", async () => {
    using box = createSandbox();
    box.write({ ".gitignore": "out\n", "out/keep.txt": "mine\n", "sub/a.txt": "1\n" });
    const { commit, back } = checkpointsOf(box);
    const start = await commit("1.before");
    rmSync(box.path("sub"), { recursive: true });
    symlinkSync("out", box.path("sub"));
    await back(start);
    expect(readFileSync(box.path("sub/a.txt"), "utf8")).toBe("1\n");
    expect(readdirSync(box.path("out"))).toEqual(["keep.txt"]);
  });

  test("names files that are too large for it, and an undo leaves them alone", async () => {
    using box = createSandbox();
    box.write({ "small.txt": "1\n", "large.bin": "" });
    truncateSync(box.path("large.bin"), 65 * 2 ** 20);
    const { keep, back } = checkpointsOf(box);
    const made = await keep("1.before");
    expect(made?.leftOut).toEqual(["large.bin"]);
    // What it lacks was there: it is not taken for new when it fits in again.
    box.write({ "small.txt": "2\n", "large.bin": "now it fits\n" });
    expect(await back(made?.commit ?? "")).toMatchObject({ written: 1, deleted: 0 });
    expect(readFileSync(box.path("large.bin"), "utf8")).toBe("now it fits\n");
    expect(faults(box)).toBe("");
  });

  test("names what is too large for it in a folder too, and of ralph's own", async () => {
    using box = createSandbox();
    box.write({ "deep/in/large.bin": "", ".ralph/specs/large.md": "" });
    const large = ["deep/in/large.bin", ".ralph/specs/large.md"];
    for (const path of large) truncateSync(box.path(path), 65 * 2 ** 20);
    const { keep, back } = checkpointsOf(box);
    const made = await keep("1.before");
    expect(made?.leftOut).toEqual(large);
    box.write(Object.fromEntries(large.map((path) => [path, "now it fits\n"])));
    expect(await back(made?.commit ?? "")).toMatchObject({ written: 0, deleted: 0 });
  });

  test("keeps what outgrew it since: that is set aside for what it has", async () => {
    using box = createSandbox();
    box.write({ "a.bin": "small\n" });
    const { commit, back } = checkpointsOf(box);
    const start = await commit("1.before");
    truncateSync(box.path("a.bin"), 65 * 2 ** 20);
    expect(await back(start)).toMatchObject({ set_aside: ["a.bin"], left: [] });
    expect(readFileSync(box.path("a.bin"), "utf8")).toBe("small\n");
    expect(existsSync(box.path(".ralph/runs/0001/undo-1/a.bin"))).toBe(true);
  });

  test("is not made again where nothing changed, if only new ones are wanted", async () => {
    using box = createSandbox();
    box.write({ "a.txt": "1\n" });
    const { keep } = checkpointsOf(box);
    expect(await keep("1")).not.toBeNull();
    expect(await keep("2.before", { onlyNew: true })).toBeNull();
    box.write({ "a.txt": "2\n" });
    expect(await keep("2.before", { onlyNew: true })).not.toBeNull();
  });

  test("is whole although an agent deleted those before it and all that they kept", async () => {
    using box = createSandbox();
    box.write(FILES);
    box.commit();
    box.write({ "src/new.ts": "new\n" });
    const { commit, back } = checkpointsOf(box);
    await commit("1");
    rmSync(box.path(".git/refs/ralph"), { recursive: true });
    box.git("gc", "--quiet", "--prune=now");
    const again = await commit("2");
    expect(faults(box)).toBe("");
    const files = image(box.project);
    rmSync(box.path("src"), { recursive: true });
    await back(again);
    expect(image(box.project)).toEqual(files);
  });

  test.each([
    ["", false],
    [" and had packed", true],
  ])("keeps an agent's commits from git gc, even those that it took back%s", async (_, isPacked) => {
    using box = createSandbox();
    box.write(FILES);
    box.commit();
    const { commit } = checkpointsOf(box);
    await commit("1.before");
    box.write({ "a.txt": "1\n" });
    const lost = box.commit("agent");
    if (isPacked) box.git("gc", "--quiet");
    await commit("1");
    box.git("reset", "--quiet", "--hard", "HEAD~1");
    box.git("reflog", "expire", "--expire=now", "--all");
    box.git("gc", "--quiet", "--prune=now");
    expect(box.git("cat-file", "-t", lost)).toBe("commit");
  });

  test("has the plan, the agent file and the specs, and nothing else of ralph's", async () => {
    using box = createSandbox();
    box.write({
      ".ralph/PROMPT.md": "Work.\n",
      ".ralph/@fix_plan.md": "- [ ] one\n",
      ".ralph/specs/deep/a.md": "A\n",
      ".ralph/runs/0001/journal.jsonl": "{}\n",
    });
    const { commit, back } = checkpointsOf(box);
    const start = await commit("1.before");
    expect(box.git("ls-tree", "-r", "--name-only", start).split("\n")).toEqual([
      ".ralph/@fix_plan.md",
      ".ralph/specs/deep/a.md",
    ]);
    box.write({ ".ralph/@fix_plan.md": "- [x] one\n" });
    await back(start);
    expect(readFileSync(box.path(".ralph/@fix_plan.md"), "utf8")).toBe("- [ ] one\n");
  });

  test("does not name a HEAD whose commit is gone: git would find fault with it ever after", async () => {
    using box = createSandbox();
    box.write(FILES);
    const first = box.commit();
    box.write({ ".git/refs/heads/lost": `${"1".repeat(40)}\n`, ".git/HEAD": "ref: refs/heads/lost\n" });
    const { commit } = checkpointsOf(box);
    await commit("1");
    box.write({ ".git/refs/heads/lost": `${first}\n` });
    expect(faults(box)).toBe("");
  });

  test("of Git LFS files has their bytes, not their pointers", async () => {
    using box = createSandbox();
    // What git-lfs does, in two lines of shell: a pointer goes into the repository, the bytes lie elsewhere.
    box.git("config", "filter.lfs.clean", `tee '${box.folder}/kept' | sha256sum`);
    box.git("config", "filter.lfs.smudge", `cat >/dev/null; cat '${box.folder}/kept'`);
    box.write({ ".gitattributes": "*.bin filter=lfs\n", "a.bin": "many bytes\n" });
    box.commit();
    const { commit, back } = checkpointsOf(box);
    const start = await commit("1.before");
    expect(box.git("show", `${start}:a.bin`)).toBe("many bytes");
    rmSync(join(box.folder, "kept"));
    writeFileSync(box.path("a.bin"), "other bytes\n");
    await back(start);
    expect(readFileSync(box.path("a.bin"), "utf8")).toBe("many bytes\n");
  });

  test("that somebody else's tree stands in for writes nothing outside the project, nor in .git", async () => {
    using box = createSandbox();
    box.write({ "a.txt": "1\n" });
    const { commit, back } = checkpointsOf(box);
    await commit("1");
    const blob = Buffer.from(box.git("hash-object", "-w", "a.txt"), "hex");
    const entry = (mode: string, name: string, id: Buffer) => Buffer.concat([Buffer.from(`${mode} ${name}\0`), id]);
    const writeTree = (body: Buffer) => {
      const id = objectId("tree", body, "sha1");
      writeLoose(box.path(".git/objects"), { id, kind: "tree", body });
      return id;
    };
    const hostile = ["..", ".git", ".GIT", "."].map((name) => {
      const inner = writeTree(entry("100644", "planted", blob));
      return entry("40000", name, Buffer.from(inner, "hex"));
    });
    const tree = writeTree(Buffer.concat([entry("100644", "b.txt", blob), ...hostile]));
    const { left, written } = await back(tree);
    expect([written, left.length]).toEqual([1, 4]);
    expect([join(box.folder, "planted"), box.path(".git/planted"), box.path("planted")].filter(existsSync)).toEqual([]);
  });

  test("whose object was replaced by another is not read", async () => {
    using box = createSandbox();
    box.write({ "a.txt": "1\n" });
    const { commit, back } = checkpointsOf(box);
    const start = await commit("1.before");
    box.write({ "a.txt": "2\n" });
    const other = await commit("1");
    const path = (id: string) => box.path(".git/objects", id.slice(0, 2), id.slice(2));
    rmSync(path(start));
    copyFileSync(path(other), path(start));
    await expect(back(start)).rejects.toThrow("is damaged");
    await expect(back("../../HEAD")).rejects.toThrow("is no object's id");
    expect(readFileSync(box.path("a.txt"), "utf8")).toBe("2\n");
  });

  test("takes nothing in through a link in place of the specs, and deletes nothing there", async () => {
    using box = createSandbox();
    const outside = join(box.folder, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "id_rsa"), "secret\n");
    box.write({ ".ralph/specs/a.md": "A\n" });
    const { commit, back } = checkpointsOf(box);
    const start = await commit("1.before");
    rmSync(box.path(".ralph/specs"), { recursive: true });
    symlinkSync(outside, box.path(".ralph/specs"));
    const made = await commit("1");
    expect(box.git("ls-tree", "-r", "--name-only", made)).not.toContain("id_rsa");
    await back(start);
    expect(readdirSync(outside)).toEqual(["id_rsa"]);
    expect(readFileSync(box.path(".ralph/specs/a.md"), "utf8")).toBe("A\n");
  });

  test.each([
    ["the store", ".ralph/checkpoints", ""],
    ["its objects", ".ralph/checkpoints/objects", ""],
    ["its settings", ".ralph/checkpoints/config", "config"],
  ])("writes nothing through a link in place of %s", async (_, path, file) => {
    using box = createSandbox("plain");
    box.write({ "a.txt": "1\n" });
    const outside = join(box.folder, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "config"), "mine\n");
    mkdirSync(dirname(box.path(path)), { recursive: true });
    symlinkSync(join(outside, file), box.path(path));
    await checkpointsOf(box)
      .keep("1")
      .catch(() => null);
    expect([readdirSync(outside), readFileSync(join(outside, "config"), "utf8")]).toEqual([["config"], "mine\n"]);
  });

  test("an undo deletes nothing that is ignored by the rules that come back", async () => {
    using box = createSandbox();
    box.write({ ".gitignore": ".env\nnode_modules\n", ".env": "KEY=1\n", "node_modules/m.js": "m\n", "a.txt": "1\n" });
    const { commit, back } = checkpointsOf(box);
    const start = await commit("1.before");
    box.write({ ".gitignore": "dist\n", "new.txt": "new\n" });
    expect(await back(start)).toMatchObject({ deleted: 1, left: [] });
    expect([".env", "node_modules/m.js", "new.txt"].map((name) => existsSync(box.path(name)))).toEqual([
      true,
      true,
      false,
    ]);
  });

  test("an undo deletes nothing that rules of a folder above ignored then, and what was new of ralph's own goes", async () => {
    using box = createSandbox();
    box.write({ ".gitignore": "*.env\n.ralph\n", "app/a.txt": "1\n", "app/a.env": "KEY=1\n" });
    box.git("add", "-f", "app/a.txt");
    box.commit();
    const { commit, back } = checkpointsOf({ project: box.path("app"), env: box.env });
    const start = await commit("1.before");
    box.write({ ".gitignore": "", "app/new.txt": "new\n", "app/.ralph/specs/new.md": "new\n" });
    expect(await back(start)).toMatchObject({ deleted: 2, left: [] });
    expect(["a.env", "new.txt", ".ralph/specs/new.md"].map((name) => existsSync(box.path(`app/${name}`)))).toEqual([
      true,
      false,
      false,
    ]);
  });

  test.each(["", "app/"])(
    "an undo deletes nothing that a .gitignore ignored which ignores itself, as that of a virtual environment, in %p",
    async (below) => {
      using box = createSandbox();
      box.write({ "a.txt": "1\n", [`${below}a.txt`]: "1\n", ".gitignore": "!*.py\n" });
      box.commit();
      box.write({ [`${below}.venv/.gitignore`]: "# Made by a tool.\n*\n", [`${below}.venv/lib/mod.py`]: "theirs\n" });
      const { commit, keep, back } = checkpointsOf({ project: box.path(below), env: box.env });
      const start = await commit("1.before");
      expect(await keep("2.before", { onlyNew: true })).toBe(null);
      rmSync(box.path(`${below}.venv/.gitignore`));
      box.write({ [`${below}a.txt`]: "2\n", [`${below}new/b.txt`]: "new\n" });
      expect(await back(start)).toMatchObject({ written: 1, deleted: 1, left: [] });
      expect(readFileSync(box.path(`${below}.venv/lib/mod.py`), "utf8")).toBe("theirs\n");
    },
  );

  test("an undo sets aside what git was told not to look at, and what was saved meanwhile", async () => {
    using box = createSandbox();
    box.write({ "a.txt": "1\n" });
    box.commit();
    const { commit, back } = checkpointsOf(box);
    const start = await commit("1.before");
    box.write({ "a.txt": "2\n" });
    box.commit();
    await commit("1");
    box.write({ "a.txt": "unseen\n" });
    box.git("update-index", "--assume-unchanged", "a.txt");
    expect(await back(start)).toMatchObject({ set_aside: ["a.txt"] });
    expect(readFileSync(box.path(".ralph/runs/0001/undo-1/a.txt"), "utf8")).toBe("unseen\n");
  });

  test("keeps names that are no UTF-8, and what git converts by rules from above or from the index alone", async () => {
    using box = createSandbox();
    box.write({ ".gitattributes": "* text eol=crlf\n", "app/a.txt": "1\r\n2\r\n" });
    box.commit();
    const name = Buffer.concat([Buffer.from(`${box.path("app")}/b`), Buffer.from([0xe9])]);
    writeFileSync(name, "latin\n");
    const at = openSandbox(box.folder, box.path("app"));
    const { commit, back } = checkpointsOf(at);
    const start = await commit("1.before");
    rmSync(name);
    at.write({ "a.txt": "2\n" });
    expect((await back(start)).left).toEqual([]);
    expect(readFileSync(name, "utf8")).toBe("latin\n");
    expect(readFileSync(at.path("a.txt"), "utf8")).toBe("1\r\n2\r\n");
  });

  test("after one that failed is whole", async () => {
    using box = createSandbox();
    box.write({ "keep/a.txt": "1\n" });
    const { keep, commit } = checkpointsOf(box);
    await commit("1");
    box.write({ "keep/b.txt": "2\n" });
    mkdirSync(box.path(".git/refs/ralph/0001/2"));
    await expect(keep("2")).rejects.toThrow();
    box.git("gc", "--quiet", "--prune=now");
    await commit("3");
    expect(faults(box)).toBe("");
  });

  test("of two projects in one repository are apart, though their runs have one name", async () => {
    using box = createSandbox();
    box.write({ "one/a.txt": "1\n", "two/a.txt": "2\n" });
    for (const name of ["one", "two"]) await checkpointsOf(openSandbox(box.folder, box.path(name))).commit("1");
    expect(box.git("for-each-ref", "--format=%(refname)", "refs/ralph").split("\n")).toHaveLength(2);
  });

  test("asks git for nothing that a repository's settings would run a program for", async () => {
    using box = createSandbox();
    rmSync(box.path(".git"), { recursive: true });
    box.git("init", "--quiet", "--object-format=sha256");
    box.write({ "a.txt": "1\n" });
    const { commit, back } = checkpointsOf(box);
    const start = await commit("1.before");
    box.git("config", "extensions.partialClone", "origin");
    box.git("config", "core.repositoryFormatVersion", "1");
    box.git("config", "remote.origin.promisor", "true");
    box.git("config", "remote.origin.url", box.folder);
    box.git("config", "remote.origin.uploadpack", `sh -c 'touch ${box.folder}/ran' #`);
    rmSync(box.path(".git/objects", start.slice(0, 2), start.slice(2)));
    await expect(back(start)).rejects.toThrow();
    expect(existsSync(join(box.folder, "ran"))).toBe(false);
  });

  test("that cannot be written throws, and leaves nothing half", async () => {
    using box = createSandbox();
    box.write({ "a.txt": "1\n" });
    const { keep } = checkpointsOf(box);
    box.write({ ".git/refs/ralph": "a file where the folder would be\n" });
    await expect(keep("1")).rejects.toThrow();
    rmSync(box.path(".git/refs/ralph"));
    expect(faults(box)).toBe("");
    expect(await keep("1")).not.toBeNull();
  });
});

test("dependencies stay where an agent made a repository since: a checkpoint without one never had them", async () => {
  using box = createSandbox("plain");
  box.write({ "a.txt": "1", "node_modules/m/i.js": "1", "packages/p/node_modules/n/i.js": "1" });
  const kept = checkpointsOf(box);
  const before = await kept.commit("1.before");
  box.git("init", "--quiet");
  box.write({ "a.txt": "2", "new.txt": "1" });
  expect(await kept.back(before)).toMatchObject({ written: 1, deleted: 1, left: [] });
  expect(Object.keys(image(box.project))).toEqual(["a.txt", "node_modules/m/i.js", "packages/p/node_modules/n/i.js"]);
});

describe("taking iterations back", () => {
  test("takes several of one file back, the last first", async () => {
    using box = createSandbox();
    const { commit, without } = checkpointsOf(box);
    const at: string[] = [];
    for (const [nth, text] of ["1\n", "2\n", "3\n"].entries()) {
      box.write({ "a.txt": text });
      at.push(await commit(String(nth)));
    }
    const [one = "", two = "", three = ""] = at;
    const steps = [
      { before: two, after: three },
      { before: one, after: two },
    ];
    expect(await without(...steps)).toMatchObject({ written: 1, left: [] });
    expect(readFileSync(box.path("a.txt"), "utf8")).toBe("1\n");
  });

  test("deletes nothing that was there before them: too large to be kept, or ignored then", async () => {
    using box = createSandbox();
    box.write({ ".gitignore": "data/\n", "data/mine.txt": "mine\n", "large.bin": "" });
    truncateSync(box.path("large.bin"), 65 * 2 ** 20);
    const { commit, without } = checkpointsOf(box);
    const before = await commit("1.before");
    box.write({ ".gitignore": "none\n", "large.bin": "now it fits\n", "new.txt": "new\n" });
    const after = await commit("1");
    expect(await without({ before, after })).toMatchObject({ written: 1, deleted: 1, left: [] });
    expect(readFileSync(box.path("data/mine.txt"), "utf8")).toBe("mine\n");
    expect(readFileSync(box.path("large.bin"), "utf8")).toBe("now it fits\n");
    expect(existsSync(box.path("new.txt"))).toBe(false);
  });
});
