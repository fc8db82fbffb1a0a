import { describe, expect, test } from "bun:test";
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { createWorkspace } from "../../../src/effects/project/workspace.ts";
import { folderStamp, isRacy } from "../../../src/effects/snapshot/folder-state.ts";
import { createSandbox, openSandbox, type Sandbox } from "../git/git-sandbox.ts";

const isWindows = process.platform === "win32";

function withFiles(files: Readonly<Record<string, string | Buffer>>): Sandbox {
  const box = createSandbox();
  box.write(files);
  box.commit();
  return box;
}

/** Sets another time for a file and leaves its content alone. */
function touch(path: string): void {
  const later = new Date(Date.now() - 60_000 * Math.ceil(Math.random() * 9));
  utimesSync(path, later, later);
}

describe("a change of one file", () => {
  const changes: Record<string, [files: string[], (box: Sandbox) => void]> = {
    "other bytes of the same size": [["a.txt"], (box) => box.write({ "a.txt": "B" })],
    "an untracked file": [["new.txt"], (box) => box.write({ "new.txt": "" })],
    "an untracked file in new folders": [["x/y/new.txt"], (box) => box.write({ "x/y/new.txt": "" })],
    "a file that is gone": [["a.txt"], (box) => rmSync(box.path("a.txt"))],
    "a folder that is gone": [["dir/b.txt", "dir/c.txt"], (box) => rmSync(box.path("dir"), { recursive: true })],
    "a file moved": [["a.txt", "moved.txt"], (box) => renameSync(box.path("a.txt"), box.path("moved.txt"))],
    "a folder moved": [
      ["dir/b.txt", "dir/c.txt", "other/b.txt", "other/c.txt"],
      (box) => renameSync(box.path("dir"), box.path("other")),
    ],
    "a file replaced by a folder": [
      ["a.txt", "a.txt/inside"],
      (box) => {
        rmSync(box.path("a.txt"));
        box.write({ "a.txt/inside": "x" });
      },
    ],
    "a folder replaced by a file": [
      ["dir", "dir/b.txt", "dir/c.txt"],
      (box) => {
        rmSync(box.path("dir"), { recursive: true });
        box.write({ dir: "x" });
      },
    ],
    "a file replaced by another of the same content": [
      [],
      (box) => {
        box.write({ fresh: "A" });
        renameSync(box.path("fresh"), box.path("a.txt"));
      },
    ],
    "a touch": [[], (box) => touch(box.path("a.txt"))],
    "a write of the same bytes": [[], (box) => box.write({ "a.txt": "A" })],
    "a change that is taken back": [
      [],
      (box) => {
        box.write({ "a.txt": "B" });
        box.write({ "a.txt": "A" });
      },
    ],
    // Without a reliable change time, git's index decides for a file of the same size and time.
    "a copy with its old time": [
      isWindows ? [] : ["a.txt"],
      (box) => {
        const { atime, mtime } = lstatSync(box.path("a.txt"));
        box.write({ "a.txt": "B" });
        utimesSync(box.path("a.txt"), atime, mtime);
      },
    ],
    "an empty folder": [[], (box) => mkdirSync(box.path("nothing/here"), { recursive: true })],
    "git add": [
      ["new.txt"],
      (box) => {
        box.write({ "new.txt": "x" });
        box.git("add", "new.txt");
      },
    ],
    "what is staged only": [[], (box) => box.git("rm", "--quiet", "--cached", "a.txt")],
    "a stash": [
      [],
      (box) => {
        box.write({ "a.txt": "B" });
        box.git("stash", "--quiet");
      },
    ],
  };

  test.each(Object.keys(changes))("is detected as git would: %s", async (name) => {
    using box = withFiles({ "a.txt": "A", "dir/b.txt": "b", "dir/c.txt": "c" });
    const [files, action] = changes[name] ?? [[], () => undefined];
    expect((await box.changes(() => action(box))).files).toEqual(files);
  });
});

test.skipIf(isWindows)("exec bits, links and the targets of links count", async () => {
  using box = withFiles({ "a.sh": "a", "b.txt": "b" });
  expect((await box.changes(() => chmodSync(box.path("a.sh"), 0o755))).files).toEqual(["a.sh"]);
  expect((await box.changes(() => chmodSync(box.path("a.sh"), 0o700))).files).toEqual([]);
  expect((await box.changes(() => symlinkSync("b.txt", box.path("l")))).files).toEqual(["l"]);
  box.commit();
  // Targets that are missing, a folder, or the link itself: only the target's name counts.
  for (const target of ["nowhere", ".", "l"]) {
    const change = box.changes(() => {
      rmSync(box.path("l"));
      symlinkSync(target, box.path("l"));
    });
    expect((await change).files).toEqual(["l"]);
    expect(box.status()).toEqual(["l"]);
  }
});

test("files that git assumes unchanged are not examined", async () => {
  using box = withFiles({ "a.txt": "a", "b.txt": "b", "c.txt": "c" });
  box.git("update-index", "--assume-unchanged", "a.txt");
  box.git("update-index", "--skip-worktree", "b.txt");
  const { files } = await box.changes(() => {
    box.write({ "a.txt": "x", "c.txt": "x" });
    rmSync(box.path("b.txt"));
  });
  expect(files).toEqual(["c.txt"]);
  expect(files).toEqual(box.status());
});

test("files in a merge conflict count as they are on the disk", async () => {
  using box = withFiles({ "a.txt": "a\n" });
  box.git("checkout", "--quiet", "-b", "side");
  box.write({ "a.txt": "side\n" });
  box.commit();
  box.git("checkout", "--quiet", "main");
  box.write({ "a.txt": "main\n" });
  box.commit();
  const merge = () => {
    expect(() => box.git("merge", "side")).toThrow();
  };
  expect((await box.changes(merge)).files).toEqual(["a.txt"]);
  expect((await box.changes(() => touch(box.path("a.txt")))).files).toEqual([]);
});

describe("content that git converts", () => {
  const crlf = { ".gitattributes": "*.txt text eol=crlf\n", "a.txt": "one\r\ntwo\r\n" };

  test("a touched file with converted line ends is unchanged, even if git looked at it in between", async () => {
    using box = withFiles(crlf);
    const workspace = box.workspace();
    const before = await workspace.snapshot();
    touch(box.path("a.txt"));
    expect((await workspace.changes(before, await workspace.snapshot())).files).toEqual([]);
    touch(box.path("a.txt"));
    box.git("status");
    expect((await workspace.changes(before, await workspace.snapshot())).files).toEqual([]);
  });

  test("other line ends alone are a change", async () => {
    using box = withFiles({ "a.txt": "one\ntwo\n" });
    expect((await box.changes(() => box.write({ "a.txt": "one\r\ntwo\r\n" }))).files).toEqual(["a.txt"]);
  });

  test("a change to a converted file, and its reversal, are both seen", async () => {
    using box = withFiles(crlf);
    const workspace = box.workspace();
    const before = await workspace.snapshot();
    box.write({ "a.txt": "one\r\nTWO\r\n" });
    const changed = await workspace.snapshot();
    box.write({ "a.txt": "one\r\ntwo\r\n" });
    const after = await workspace.snapshot();
    expect((await workspace.changes(before, changed)).files).toEqual(["a.txt"]);
    expect((await workspace.changes(changed, after)).files).toEqual(["a.txt"]);
    expect(workspace.fingerprint(after)).toBe(workspace.fingerprint(before));
  });

  test("a file with known bytes is unchanged when git adds it in another form", async () => {
    using box = createSandbox();
    box.write({ ".gitattributes": "*.up filter=up\n", "a.up": "abc" });
    box.git("config", "filter.up.clean", "tr a-z A-Z");
    box.commit();
    const workspace = box.workspace();
    await workspace.snapshot();
    box.write({ "a.up": "abd" });
    const before = await workspace.snapshot();
    touch(box.path("a.up"));
    box.git("add", "a.up");
    expect((await workspace.changes(before, await workspace.snapshot())).files).toEqual([]);
  });

  test("a touched Git LFS file is unchanged", async () => {
    using box = createSandbox();
    const content = "large".repeat(100);
    const oid = new Bun.CryptoHasher("sha256").update(content).digest("hex");
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${content.length}\n`;
    box.write({ pointer, ".gitattributes": "*.bin filter=lfs\n", "a.bin": content });
    box.git("config", "filter.lfs.clean", `cat '${box.path("pointer")}'`);
    box.commit();
    expect(box.git("cat-file", "-p", "HEAD:a.bin")).toBe(pointer.trim());
    expect((await box.changes(() => touch(box.path("a.bin")))).files).toEqual([]);
    expect((await box.changes(() => box.write({ "a.bin": content.replace("l", "L") }))).files).toEqual(["a.bin"]);
  });
});

test("edits of the same size within one tick of the clock are seen", async () => {
  using box = withFiles({ "a.txt": "0" });
  const workspace = box.workspace();
  let before = await workspace.snapshot();
  for (let turn = 1; turn < 60; turn += 1) {
    box.write({ "a.txt": String(turn % 10) });
    const after = await workspace.snapshot();
    expect((await workspace.changes(before, after)).files).toEqual(["a.txt"]);
    before = after;
  }
});

test.each([
  ["long before it was examined", 900, 900, false],
  ["within the tick in which it was examined", 999.5, 999.5, true],
  ["after it was examined, by a clock that is ahead", 5_000.5, 900, true],
  ["long before, with a recent change of name or mode", 900, 999, true],
  ["in the second before, on a file system with a resolution of seconds", 0, 0, true],
])("isRacy is right for a file written %s", (_, mtimeMs, ctimeMs, racy) => {
  expect(isRacy({ mtimeMs, ctimeMs }, 1_000)).toBe(racy);
});

test.each([
  ["finer than FAT", 900.25, true],
  ["the root of a FAT disk, which has none", 0, false],
  ["exFAT, where Windows leaves it when a file comes", 890, false],
])("the time of a folder says whether its files are still the same: %s", (_, mtimeMs, tells) => {
  const stat = { mtimeMs, ctimeMs: mtimeMs, size: 0, ino: 1, mode: 0o40755 } as Stats;
  expect(folderStamp(stat, 5_000) !== null).toBe(tells);
});

test("files that come and go within the tick of a listing are seen", async () => {
  using box = withFiles({ "dir/a.txt": "0" });
  const workspace = box.workspace();
  let before = await workspace.snapshot();
  for (let turn = 1; turn < 60; turn += 1) {
    if (turn % 2) box.write({ "dir/new.txt": "x" });
    else rmSync(box.path("dir/new.txt"));
    const after = await workspace.snapshot();
    expect((await workspace.changes(before, after)).files).toEqual(["dir/new.txt"]);
    before = after;
  }
});

test("what comes and goes before a file in its folder hides no change of it", async () => {
  const names = ["b", "c", "d", "e", "f", "g"];
  using box = withFiles(Object.fromEntries(names.map((name) => [name, "x"])));
  const workspace = box.workspace();
  const seen = async (change: () => void) => {
    // What was written a moment ago is read again whatever it looks like: each file has to be older than that.
    let before = await workspace.snapshot();
    for (const end = Date.now() + 50; Date.now() < end; ) before = await workspace.snapshot();
    change();
    return (await workspace.changes(before, await workspace.snapshot())).files;
  };
  expect(await seen(() => box.write({ a: "x" }))).toEqual(["a"]);
  expect(await seen(() => box.write({ e: "y" }))).toEqual(["e"]);
  expect(await seen(() => rmSync(box.path("b")))).toEqual(["b"]);
  expect(await seen(() => box.write({ g: "y" }))).toEqual(["g"]);
});

test("an edit that git's own index cannot detect is seen", async () => {
  using box = withFiles({ "a.txt": "A" });
  box.git("config", "core.trustCtime", "false");
  const { atime, mtime } = lstatSync(box.path("a.txt"));
  // The index is as old as the file: git calls such an entry racily clean, and so does ralph.
  box.write({ "a.txt": "B" });
  utimesSync(box.path("a.txt"), atime, mtime);
  utimesSync(box.path(".git/index"), atime, mtime);
  const workspace = box.workspace();
  const before = await workspace.snapshot();
  box.write({ "a.txt": "A" });
  expect((await workspace.changes(before, await workspace.snapshot())).files).toEqual(["a.txt"]);
});

describe("the fingerprint", () => {
  test("is the same for the same tree, touched, committed or rewritten", async () => {
    using box = withFiles({ "a.txt": "A", "dir/b.txt": "b" });
    const workspace = box.workspace();
    const print = async () => workspace.fingerprint(await workspace.snapshot());
    const first = await print();
    touch(box.path("a.txt"));
    expect(await print()).toBe(first);
    box.write({ "dir/b.txt": "B" });
    const second = await print();
    expect(second).not.toBe(first);
    box.commit();
    expect(await print()).toBe(second);
    box.git("commit", "--quiet", "--allow-empty", "--message", "empty");
    expect(await print()).toBe(second);
    box.write({ "dir/b.txt": "b" });
    expect(await print()).toBe(first);
  });

  test("differs for another name, place or mode", async () => {
    using box = withFiles({ "a.txt": "A" });
    const workspace = box.workspace();
    const prints = new Set<string>();
    const take = async () => prints.add(workspace.fingerprint(await workspace.snapshot()));
    await take();
    renameSync(box.path("a.txt"), box.path("b.txt"));
    await take();
    mkdirSync(box.path("b"));
    renameSync(box.path("b.txt"), box.path("b", "txt"));
    await take();
    if (!isWindows) chmodSync(box.path("b", "txt"), 0o755);
    await take();
    expect(prints.size).toBe(isWindows ? 3 : 4);
  });
});

describe("what never counts", () => {
  test(".ralph and .git, in every folder and even when tracked", async () => {
    using box = withFiles({ ".ralph/status.json": "{}", "sub/.ralph/x": "x", "a.txt": "a" });
    box.git("add", "--force", ".ralph");
    box.git("commit", "--quiet", "--allow-empty", "--message", "x");
    const { files } = await box.changes(() => {
      box.write({ ".ralph/status.json": "{1}", ".ralph/new": "x", "sub/.ralph/x": "y", ".git/own": "x" });
      rmSync(box.path(".ralph/status.json"));
    });
    expect(files).toEqual([]);
  });

  test("a .git folder that is not a repository, although the files beside it count", async () => {
    using box = withFiles({ "a.txt": "a", "b/.git/x": "x" });
    expect((await box.changes(() => box.write({ "b/new.txt": "x", "b/.git/y": "y" }))).files).toEqual(["b/new.txt"]);
    expect(box.status()).toEqual(["b/new.txt"]);
  });

  test("files outside the project's folder, although HEAD of the surrounding repository does", async () => {
    using box = withFiles({
      "packages/app/a.txt": "a",
      "packages/lib/b.txt": "b",
      ".gitignore": "*.log\n/packages/app/out/\n",
    });
    const app = openSandbox(box.folder, box.path("packages/app"));
    const work = () => box.write({ "packages/lib/b.txt": "B", "packages/app/x.log": "x", "packages/app/out/o": "o" });
    expect(await app.changes(work)).toEqual({ files: [], commits: [], headMoved: false });
    expect(await app.changes(() => void box.commit())).toMatchObject({ files: [], headMoved: true });
    expect((await app.changes(() => box.write({ "packages/app/a.txt": "A" }))).files).toEqual(["a.txt"]);
  });
});

test("a project that the surrounding repository ignores is not part of it: files decide", async () => {
  using box = withFiles({ ".gitignore": "*\n!.gitignore\n" });
  box.write({ "work/app/a.txt": "a" });
  const app = openSandbox(box.folder, box.path("work/app"));
  expect(app.workspace().isGitRepository).toBeFalse();
  expect((await app.changes(() => app.write({ "a.txt": "A" }))).files).toEqual(["a.txt"]);
  box.git("add", "--force", "work/app/a.txt");
  expect(app.workspace().isGitRepository).toBeTrue();
  expect((await app.changes(() => app.write({ "a.txt": "B", "untracked.txt": "x" }))).files).toEqual(["a.txt"]);
});

describe("without a repository", () => {
  test("all files count except node_modules and those that a .gitignore names", async () => {
    using box = createSandbox("plain");
    box.write({ "a.txt": "a", "sub/.gitignore": "*.log\n" });
    const { files, headMoved } = await box.changes(() =>
      box.write({ "a.txt": "b", "sub/x.log": "x", "x.log": "x", "node_modules/m/i.js": "m", ".ralph/x": "x" }),
    );
    expect(files).toEqual(["a.txt", "x.log"]);
    expect(headMoved).toBeFalse();
  });

  test("nested repositories are plain folders", async () => {
    using box = createSandbox("plain");
    mkdirSync(box.path("app"));
    box.gitIn(box.path("app"), "init", "--quiet");
    expect((await box.changes(() => box.write({ "app/a.txt": "a" }))).files).toEqual(["app/a.txt"]);
  });

  test("a touch is not a change", async () => {
    using box = createSandbox("plain");
    box.write({ "a.txt": "a" });
    expect((await box.changes(() => touch(box.path("a.txt")))).files).toEqual([]);
  });
});

test.skipIf(process.platform !== "linux")(
  "names that are not UTF-8, or contain a line end, stay distinct",
  async () => {
    using box = createSandbox();
    const odd = (...bytes: number[]) => Buffer.concat([Buffer.from(`${box.project}/`), Buffer.from(bytes)]);
    writeFileSync(odd(0x61, 0xff), "1");
    box.write({ "line\nend.txt": "1", "\ufffd.txt": "1" });
    mkdirSync(odd(0x64, 0xfe));
    writeFileSync(odd(0x64, 0xfe, 0x2f, 0x78), "1");
    box.commit();
    const workspace = box.workspace();
    const before = await workspace.snapshot();
    writeFileSync(odd(0x61, 0xff), "2");
    writeFileSync(odd(0x61, 0xfe), "2");
    writeFileSync(odd(0x64, 0xfe, 0x2f, 0x78), "2");
    const after = await workspace.snapshot();
    expect((await workspace.changes(before, after)).files).toEqual(["a\ufffd", "a\ufffd", "d\ufffd/x"]);
    box.write({ "line\nend.txt": "2", "\ufffd.txt": "2" });
    expect((await workspace.changes(after, await workspace.snapshot())).files).toEqual(["line\nend.txt", "\ufffd.txt"]);
  },
);

test.skipIf(isWindows || process.getuid?.() === 0)("an unreadable folder warns once and changes nothing", async () => {
  using box = withFiles({ "a.txt": "a", "closed/b.txt": "b", "closed/deep/c.txt": "c" });
  const workspace = box.workspace();
  const before = await workspace.snapshot();
  chmodSync(box.path("closed"), 0);
  box.write({ "a.txt": "A" });
  const during = await workspace.snapshot();
  await workspace.snapshot();
  chmodSync(box.path("closed"), 0o755);
  expect((await workspace.changes(before, during)).files).toEqual(["a.txt"]);
  expect(workspace.warnings).toEqual([expect.stringContaining("closed/")]);
  box.write({ "closed/deep/c.txt": "C" });
  expect((await workspace.changes(during, await workspace.snapshot())).files).toEqual(["closed/deep/c.txt"]);
});

test("pipes are ignored", async () => {
  using box = withFiles({ "a.txt": "a" });
  if (isWindows) return;
  expect((await box.changes(() => void Bun.spawnSync(["mkfifo", box.path("pipe")]))).files).toEqual([]);
});

test("a file over 64 MB is identified by size and time", async () => {
  using box = createSandbox("plain");
  box.write({ "big.bin": "" });
  truncateSync(box.path("big.bin"), 65 * 1024 * 1024);
  expect((await box.changes(() => undefined)).files).toEqual([]);
  expect((await box.changes(() => touch(box.path("big.bin")))).files).toEqual(["big.bin"]);
});

test("an unreadable index warns once, and files still count", async () => {
  using box = withFiles({ "a.txt": "a" });
  box.write({ ".git/index": "nonsense" });
  const workspace = box.workspace();
  const before = await workspace.snapshot();
  box.write({ "a.txt": "A" });
  expect((await workspace.changes(before, await workspace.snapshot())).files).toEqual(["a.txt"]);
  expect(workspace.warnings).toEqual([expect.stringContaining("index")]);
});

test("a copy of a repository, without its stat data, is as clean as the original", async () => {
  using box = withFiles({ "a.txt": "a", "dir/b.txt": "b" });
  cpSync(box.project, join(box.folder, "copy"), { recursive: true });
  const [original, copy] = [box.workspace(), openSandbox(box.folder, join(box.folder, "copy")).workspace()];
  expect(copy.fingerprint(await copy.snapshot())).toBe(original.fingerprint(await original.snapshot()));
});

test("changes among 10,000 files in 400 folders are found", async () => {
  using box = createSandbox();
  const paths = Array.from({ length: 10_000 }, (_, n) => `M 100644 :1 src/p${n % 20}/m${n % 400}/f${n}.ts`);
  const commit = ["commit refs/heads/main", "committer A <a@example.org> 0 +0000", "data 1", "x", ...paths, ""];
  const stdin = Buffer.from(["blob", "mark :1", "data 1", "y", ...commit].join("\n"));
  Bun.spawnSync(["git", "fast-import", "--quiet"], { cwd: box.project, env: box.env, stdin });
  box.git("reset", "--quiet", "--hard");
  const { files: changed } = await box.changes(() => {
    box.write({ "src/p7/m7/f7.ts": "x", "src/p0/new/g.ts": "x" });
    rmSync(box.path("src/p3/m3/f3.ts"));
  });
  expect(changed).toEqual(["src/p0/new/g.ts", "src/p3/m3/f3.ts", "src/p7/m7/f7.ts"]);
}, 120_000);

test("a snapshot writes nothing: git's own files stay unchanged", async () => {
  using box = withFiles({ "a.txt": "a" });
  touch(box.path("a.txt"));
  const index = readFileSync(box.path(".git/index"));
  const workspace = createWorkspace(box.project, { env: box.env });
  await workspace.changes(await workspace.snapshot(), await workspace.snapshot());
  expect(readFileSync(box.path(".git/index"))).toEqual(index);
});

test("a snapshot of another workspace is refused", async () => {
  using box = withFiles({ "a.txt": "a" });
  const foreign = await box.workspace().snapshot();
  expect(() => box.workspace().fingerprint(foreign)).toThrow("another workspace");
});
