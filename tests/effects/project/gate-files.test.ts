import { beforeEach, describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { createGateFiles } from "../../../src/effects/project/gate-files.ts";
import { createWorkspace } from "../../../src/effects/project/workspace.ts";
import { testFolders } from "../../folders.ts";

const newFolder = testFolders("gate-files");

let project: string;
const env = { PATH: process.env.PATH ?? "", HOME: "/nonexistent" };
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
};
const bytes = (text: string) => new TextEncoder().encode(text);

function opened() {
  const workspace = createWorkspace(project, { env });
  const port = createGateFiles({ project, runsDir: join(project, ".ralph/runs"), filesOf: workspace.files });
  return { workspace, port };
}

beforeEach(() => {
  const folder = newFolder();
  project = join(folder, "project");
  mkdirSync(project);
});

describe("files that no tree shows", () => {
  test("are listed where they are asked for, by mode and content", async () => {
    write(".ralph/check.sh", "one");
    const { workspace, port } = opened();
    const listed = async () => port.list(await workspace.snapshot(), [".ralph/check.sh", ".ralph/none.sh"]);
    const before = await listed();
    expect([...before.keys()]).toEqual([".ralph/check.sh"]);
    expect(port.list(await workspace.snapshot()).size).toBe(0);
    write(".ralph/check.sh", "two");
    expect((await listed()).get(".ralph/check.sh")).not.toBe(before.get(".ralph/check.sh"));
  });

  test.if(process.platform !== "win32")("are laid over a copy as programs, alone of .ralph", async () => {
    write("a.txt", "a");
    write(".ralph/check.sh", "one");
    write(".ralph/status.json", "{}");
    chmodSync(join(project, ".ralph/check.sh"), 0o755);
    const { workspace, port } = opened();
    const copy = await port.copyTree(await workspace.snapshot(), new Map([[".ralph/check.sh", bytes("two")]]));
    const inCopy = join(copy.dir, ".ralph/check.sh");
    expect([readFileSync(inCopy, "utf8"), statSync(inCopy).mode & 0o100]).toEqual(["two", 0o100]);
    expect(existsSync(join(copy.dir, ".ralph/status.json"))).toBe(false);
    copy.remove();
  });
});

describe("a copy of the tree", () => {
  const git = process.platform !== "win32";

  test.if(git)("has the files that git would track, and links to everything that is ignored", async () => {
    execFileSync("git", ["init", "-q"], { cwd: project });
    write(".gitignore", "node_modules\n.env\ndist/\n");
    write("src/a.js", "a");
    write("src/run.sh", "#!/bin/sh\n");
    chmodSync(join(project, "src/run.sh"), 0o755);
    symlinkSync("a.js", join(project, "src/link.js"));
    write("node_modules/dep/index.js", "dep");
    write("packages/one/node_modules/other/index.js", "other");
    write("packages/one/index.js", "one");
    write(".env", "KEY=1");
    write(".ralph/PROMPT.md", "work");
    const { workspace, port } = opened();
    const { dir, remove } = await port.copyTree(await workspace.snapshot(), new Map());
    expect(readFileSync(join(dir, "src/a.js"), "utf8")).toBe("a");
    expect(lstatSync(join(dir, "src/a.js")).isSymbolicLink()).toBe(false);
    expect(statSync(join(dir, "src/run.sh")).mode & 0o100).toBe(0o100);
    expect(readlinkSync(join(dir, "src/link.js"))).toBe("a.js");
    expect(readlinkSync(join(dir, "node_modules"))).toBe(join(project, "node_modules"));
    expect(readFileSync(join(dir, "packages/one/node_modules/other/index.js"), "utf8")).toBe("other");
    expect(readFileSync(join(dir, ".env"), "utf8")).toBe("KEY=1");
    expect([existsSync(join(dir, ".git")), existsSync(join(dir, ".ralph"))]).toEqual([false, false]);
    remove();
    expect(existsSync(dir)).toBe(false);
    expect(existsSync(join(project, "node_modules/dep/index.js"))).toBe(true);
  });

  test("has contents laid over it, and is a copy: what is written there stays there", async () => {
    write("tests/a.test.js", "weak");
    write("tests/added.test.js", "added");
    write("src/a.js", "a");
    const { workspace, port } = opened();
    const changes = new Map([
      ["tests/a.test.js", bytes("strong")],
      ["tests/gone.test.js", bytes("back")],
      ["tests/added.test.js", null],
    ]);
    const { dir, remove } = await port.copyTree(await workspace.snapshot(), changes);
    expect(readFileSync(join(dir, "tests/a.test.js"), "utf8")).toBe("strong");
    expect(readFileSync(join(dir, "tests/gone.test.js"), "utf8")).toBe("back");
    expect(existsSync(join(dir, "tests/added.test.js"))).toBe(false);
    writeFileSync(join(dir, "src/a.js"), "changed");
    expect(readFileSync(join(project, "src/a.js"), "utf8")).toBe("a");
    remove();
    expect(readFileSync(join(project, "tests/a.test.js"), "utf8")).toBe("weak");
  });

  test.if(git)("has a folder where a link leads elsewhere, and what is laid over it lies there", async () => {
    for (const name of ["a", "b"]) write(`spec/${name}.test.js`, "weak");
    symlinkSync(join(project, "spec"), join(project, "tests"));
    const { workspace, port } = opened();
    const changes = new Map([["tests/a.test.js", bytes("strong")]]);
    const { dir, remove } = await port.copyTree(await workspace.snapshot(), changes);
    expect(readFileSync(join(project, "spec/a.test.js"), "utf8")).toBe("weak");
    expect(readFileSync(join(dir, "tests/a.test.js"), "utf8")).toBe("strong");
    expect(readFileSync(join(dir, "tests/b.test.js"), "utf8")).toBe("weak");
    remove();
  });

  test("does without a file that is gone by then", async () => {
    write("src/a.js", "a");
    write("src/b.js", "b");
    const { workspace, port } = opened();
    const tree = await workspace.snapshot();
    rmSync(join(project, "src/b.js"));
    const { dir, remove } = await port.copyTree(tree, new Map());
    expect([existsSync(join(dir, "src/a.js")), existsSync(join(dir, "src/b.js"))]).toEqual([true, false]);
    remove();
  });
});

describe("files of the gates", () => {
  test("are listed with what identifies them, as the snapshot sees them", async () => {
    write("src/a.js", "a");
    write("src/b.js", "a");
    write(".ralph/x.js", "a");
    const { workspace, port } = opened();
    const listed = port.list(await workspace.snapshot());
    expect([...listed.keys()]).toEqual(["src/a.js", "src/b.js"]);
    expect(listed.get("src/a.js")).toBe(listed.get("src/b.js") ?? "");
    write("src/b.js", "b");
    expect(port.list(await workspace.snapshot()).get("src/b.js")).not.toBe(listed.get("src/b.js"));
  });

  test("are read up to a size, written with their folders, and deleted", () => {
    const { port } = opened();
    port.write("tests/deep/a.test.js", bytes("12345"));
    expect(port.read("tests/deep/a.test.js", 5)).not.toBeNull();
    expect(port.read("tests/deep/a.test.js", 4)).toBeNull();
    expect(port.read("tests")).toBeNull();
    port.write("tests/deep/a.test.js", null);
    expect(port.read("tests/deep/a.test.js")).toBeNull();
  });

  test.if(process.platform !== "win32")("are neither written nor deleted where a link leads out of the project", () => {
    const { port } = opened();
    const outside = join(project, "..", "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "a.test.js"), "theirs");
    symlinkSync(outside, join(project, "tests"));
    for (const content of [bytes("frozen"), null])
      expect(() => port.write("tests/a.test.js", content)).toThrow("leads out of the project");
    expect(() => port.write("tests/deep/b.test.js", bytes("frozen"))).toThrow("leads out of the project");
    expect(readFileSync(join(outside, "a.test.js"), "utf8")).toBe("theirs");
    expect(existsSync(join(outside, "deep"))).toBe(false);
  });

  test("that are kept come back only as they were kept", () => {
    const { port } = opened();
    const digest = port.keep("0001", "gates.json", "kept\n");
    expect(port.kept("0001", "gates.json", digest)).toBe("kept\n");
    writeFileSync(join(project, ".ralph/runs/0001/gates.json"), "forged\n");
    expect(port.kept("0001", "gates.json", digest)).toBeNull();
    expect(port.kept("0001", "gates.json", null)).toBe("forged\n");
    expect(port.kept("0002", "gates.json", null)).toBeNull();
  });
});

test("a copy of a project with a submodule has its files, and no way to those of the project", async () => {
  const git = (folder: string, ...args: string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...args], {
      cwd: join(project, folder),
      env: { ...env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" },
      stdio: "ignore",
    });
  git("", "init");
  write("lib/src/a.c", "one");
  write("lib/.gitignore", "*.o\n");
  write("lib/a.o", "built");
  git("lib", "init");
  git("lib", "add", ".");
  git("lib", "commit", "-m", "lib");
  git("", "-c", "advice.addEmbeddedRepo=false", "add", ".");
  write("lib/src/a.c", "two");
  const { workspace, port } = opened();
  const copy = await port.copyTree(await workspace.snapshot(), new Map([["lib/src/b.c", bytes("laid over")]]));
  try {
    expect(lstatSync(join(copy.dir, "lib")).isDirectory()).toBeTrue();
    expect(lstatSync(join(copy.dir, "lib/src/a.c")).isFile()).toBeTrue();
    writeFileSync(join(copy.dir, "lib/src/a.c"), "a gate's");
    expect(readFileSync(join(project, "lib/src/a.c"), "utf8")).toBe("two");
    expect(readFileSync(join(copy.dir, "lib/a.o"), "utf8")).toBe("built");
    expect([existsSync(join(copy.dir, "lib/.git")), existsSync(join(project, "lib/src/b.c"))]).toEqual([false, false]);
  } finally {
    copy.remove();
  }
});
