import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { RalphError } from "../../../src/core/errors.ts";
import { readRepositoryFacts } from "../../../src/effects/git/facts.ts";
import { newRepository } from "../../../src/effects/project/new-repository.ts";
import { openProjectFiles } from "../../../src/effects/project/open-project-files.ts";
import { applyChanges } from "../../../src/effects/project/project-write.ts";
import { testFolder } from "../../folders.ts";

const top = testFolder("write");
let count = 0;
const folder = (files: Record<string, string> = {}) => {
  const dir = join(top, String(++count));
  mkdirSync(dir);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(dir, path, ".."), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
};
const write = (path: string, content: string, backup = false) => ({ kind: "write", path, content, backup }) as const;
const links = process.platform === "win32" ? test.skip : test;

describe("changing a project's files", () => {
  test("writes, moves, and keeps backups of old versions", () => {
    const dir = folder({ "PROMPT.md": "old", "specs/a.md": "a" });
    applyChanges(
      dir,
      [write("PROMPT.md", "new", true), { kind: "move", path: "specs", to: ".ralph/specs" }],
      ".ralph/backups/1",
    );
    const text = (path: string) => readFileSync(join(dir, path), "utf8");
    expect([
      text("PROMPT.md"),
      text(".ralph/specs/a.md"),
      text(".ralph/backups/1/PROMPT.md"),
      text(".ralph/backups/1/specs/a.md"),
    ]).toEqual(["new", "a", "old", "a"]);
    expect(existsSync(join(dir, "specs"))).toBe(false);
  });

  links("leaves a file that only its user may read to that user, in its backup too", () => {
    const dir = folder({ ".ralphrc": "NTFY_TOPIC=secret\n" });
    chmodSync(join(dir, ".ralphrc"), 0o600);
    applyChanges(dir, [write(".ralphrc", "NTFY_TOPIC=secret\nMAX_TIME=8h\n", true), write("new.md", "new")], "b");
    const mode = (path: string) => statSync(join(dir, path)).mode & 0o777;
    expect([mode(".ralphrc"), mode("b/.ralphrc")]).toEqual([0o600, 0o600]);
    expect(mode("new.md") & 0o600).toBe(0o600);
  });

  test("removes a folder that moves left empty, and keeps one that is not", () => {
    const dir = folder({ "specs/deep/a.md": "a", "logs/a": "a", "logs/b": "b" });
    const move = (path: string) => ({ kind: "move", path, to: `.ralph/${path}` }) as const;
    applyChanges(dir, [move("specs/deep/a.md"), move("logs/a")], "b");
    expect([existsSync(join(dir, "specs")), existsSync(join(dir, "logs/b"))]).toEqual([false, true]);
  });

  test("moves nothing onto a file that appeared after planning, and changes nothing else either", () => {
    const dir = folder({ "PROMPT.md": "mine", ".ralph/PROMPT.md": "newer" });
    const moves = [write("a", "x"), { kind: "move", path: "PROMPT.md", to: ".ralph/PROMPT.md" }] as const;
    expect(() => applyChanges(dir, moves, "b")).toThrow(".ralph/PROMPT.md already exists");
    expect(readFileSync(join(dir, ".ralph/PROMPT.md"), "utf8")).toBe("newer");
    expect(existsSync(join(dir, "a"))).toBe(false);
  });

  links("does not follow a link out of the project, and writes nothing there", () => {
    const outside = folder();
    const dir = folder();
    symlinkSync(outside, join(dir, ".ralph"));
    expect(() => applyChanges(dir, [write(".ralph/PROMPT.md", "x")], ".ralph/backups/1")).toThrow(RalphError);
    expect(existsSync(join(outside, "PROMPT.md"))).toBe(false);
  });

  links("replaces a file that is a link, and not what it leads to", () => {
    const outside = folder({ target: "secret" });
    const dir = folder();
    symlinkSync(join(outside, "target"), join(dir, "PROMPT.md"));
    applyChanges(dir, [write("PROMPT.md", "x")], "b");
    expect([readFileSync(join(outside, "target"), "utf8"), readFileSync(join(dir, "PROMPT.md"), "utf8")]).toEqual([
      "secret",
      "x",
    ]);
  });

  links("follows a link where it is told to, but none out of the project", () => {
    const outside = folder({ target: "secret" });
    const dir = folder({ "docs/plan.md": "old" });
    symlinkSync("docs/plan.md", join(dir, "inside"));
    symlinkSync(join(outside, "target"), join(dir, "out"));
    const followed = (path: string) => ({ ...write(path, "x", true), follows: true });
    applyChanges(dir, [followed("inside"), followed("out")], "b");
    expect(readlinkSync(join(dir, "inside"))).toBe("docs/plan.md");
    const text = (path: string) => readFileSync(path, "utf8");
    expect([text(join(dir, "docs/plan.md")), text(join(dir, "b/inside"))]).toEqual(["x", "old"]);
    expect([text(join(outside, "target")), text(join(dir, "out"))]).toEqual(["secret", "x"]);
  });

  test("removes a file, and puts a backup in the place of another", () => {
    const dir = folder({ a: "ours", b: "ours, edited", "backups/1/b": "theirs" });
    const restore = { kind: "restore", path: "b", from: "backups/1/b", backup: true } as const;
    applyChanges(dir, [{ kind: "remove", path: "a", backup: false }, restore], "backups/2");
    const text = (path: string) => readFileSync(join(dir, path), "utf8");
    expect([existsSync(join(dir, "a")), text("b"), text("backups/2/b")]).toEqual([false, "theirs", "ours, edited"]);
    expect([existsSync(join(dir, "backups/1")), existsSync(join(dir, "backups/2/a"))]).toEqual([false, false]);
  });

  links("keeps a link as a link, even one that leads nowhere, and puts it back", () => {
    const dir = folder();
    symlinkSync("nowhere", join(dir, "a"));
    applyChanges(dir, [write("a", "ours", true)], "backups/1");
    expect(readFileSync(join(dir, "a"), "utf8")).toBe("ours");
    applyChanges(dir, [{ kind: "restore", path: "a", from: "backups/1/a", backup: false }], "backups/2");
    expect(readlinkSync(join(dir, "a"))).toBe("nowhere");
  });

  test("removes a folder that it created if a write fails", () => {
    const dir = join(top, "fresh");
    expect(() => applyChanges(dir, [write("a", "x"), write("a/b", "y")], "b")).toThrow(RalphError);
    expect(existsSync(dir)).toBe(false);
  });
});

describe("reading a project", () => {
  test("treats an impossible file name as missing", () => {
    const files = openProjectFiles(folder());
    for (const name of ["x".repeat(5000), "a\0b"])
      expect([files.exists(name), files.read(name), files.list(name)]).toEqual([false, null, []]);
  });

  links("reads no link that leads out of it, and lists none", () => {
    const outside = folder({ target: "secret" });
    const dir = folder({ "a.txt": "a", "b/c.txt": "c" });
    symlinkSync(join(outside, "target"), join(dir, "link"));
    symlinkSync(outside, join(dir, "folder"));
    const files = openProjectFiles(dir);
    expect([files.read("link"), files.read("folder/target"), files.read("a.txt"), files.exists("link")]).toEqual([
      null,
      null,
      "a",
      true,
    ]);
    expect(files.list("")).toEqual([
      { name: "a.txt", kind: "file" },
      { name: "b", kind: "folder" },
    ]);
    expect(files.list("folder")).toEqual([]);
  });
  test("returns no text for bytes that are not text", () => {
    const dir = folder();
    writeFileSync(join(dir, "x"), Buffer.from([0xff, 0xfe, 0x00]));
    expect(openProjectFiles(dir).read("x")).toBeNull();
  });
});

test("a new repository has a first commit by git's user", async () => {
  const home = folder({
    ".gitconfig": "[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = trunk\n",
  });
  const dir = folder({ "a.txt": "a", "b/c.txt": "c" });
  const env = { HOME: home };
  const before = readRepositoryFacts(dir, env, false);
  expect(before).toMatchObject({
    isRepository: false,
    user: { name: "Ada", email: "ada@example.org" },
    defaultBranch: "trunk",
  });
  await newRepository({
    dir,
    files: ["a.txt", "b/c.txt"],
    message: "first",
    author: { name: "Ada", email: "a@b" },
    branch: "trunk",
  });
  expect(readRepositoryFacts(dir, env, false)).toMatchObject({ isRepository: true, hasCommit: true, branch: "trunk" });
});
