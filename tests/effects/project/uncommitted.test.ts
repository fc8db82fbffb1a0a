import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { hasUncommitted } from "../../../src/effects/project/uncommitted.ts";
import { createSandbox, type Sandbox } from "../git/git-sandbox.ts";

const FILES = { "a.txt": "a\n", "src/b.txt": "b\n", "src/deep/c.txt": "c\n", ".gitignore": "*.log\n" };

const changes: [what: string, isSeen: boolean, act: (at: Sandbox) => void][] = [
  ["nothing", false, () => {}],
  ["a changed file", true, (at) => at.write({ "src/b.txt": "x\n" })],
  ["a new file", true, (at) => at.write({ "new.txt": "" })],
  ["a deleted file", true, (at) => rmSync(at.path("src/deep/c.txt"))],
  ["a deleted folder", true, (at) => rmSync(at.path("src"), { recursive: true })],
  ["an ignored file", false, (at) => at.write({ "x.log": "x" })],
  ["a file of ralph's own", false, (at) => at.write({ ".ralph/PROMPT.md": "x" })],
  ["a file rewritten with the same content", false, (at) => at.write({ "a.txt": "a\n" })],
  [
    "a change that is staged",
    true,
    (at) => {
      at.write({ "src/deep/c.txt": "x\n" });
      at.git("add", "-A");
    },
  ],
  [
    "a change that was staged and taken back",
    false,
    (at) => {
      at.write({ "src/b.txt": "x\n" });
      at.git("add", "-A");
      at.git("checkout", "--quiet", "HEAD", "--", "src/b.txt");
    },
  ],
  [
    "a commit that was taken back, its changes still staged",
    true,
    (at) => {
      at.write({ "src/b.txt": "x\n" });
      at.commit();
      at.git("reset", "--quiet", "--soft", "HEAD~1");
    },
  ],
  [
    "a change that was committed",
    false,
    (at) => {
      at.write({ "src/b.txt": "x\n" });
      at.commit();
    },
  ],
];

describe("uncommitted work", () => {
  test.each(changes)("is found for %s: %p", async (_, isSeen, act) => {
    using at = createSandbox();
    at.write(FILES);
    at.commit();
    act(at);
    expect(await hasUncommitted(at.project, at.env)).toBe(isSeen);
    // git agrees, except that it does not know ralph's files
    expect(at.status().filter((path) => !path.startsWith(".ralph")).length > 0).toBe(isSeen);
  });

  test("of a project below its repository's root is that project's files, and everything staged", async () => {
    using at = createSandbox();
    at.write({ ...FILES, "pkg/d.txt": "d\n", "pkg/.ralph/PROMPT.md": "tracked\n" });
    at.commit();
    at.write({ "a.txt": "x\n" });
    const look = () => hasUncommitted(join(at.project, "pkg"), at.env);
    expect(await look()).toBe(false);
    at.git("add", "-A");
    expect(await look()).toBe(true);
  });

  test("does not exist outside a repository or before its first commit", async () => {
    using plain = createSandbox("plain");
    plain.write(FILES);
    expect(await hasUncommitted(plain.project, plain.env)).toBe(false);
    using fresh = createSandbox();
    fresh.write(FILES);
    expect(await hasUncommitted(fresh.project, fresh.env)).toBe(false);
  });

  test("is found by comparing with the commit if git never wrote the index as a tree", async () => {
    using at = createSandbox();
    at.write(FILES);
    at.commit();
    at.git("rm", "--cached", "--quiet", "src/b.txt");
    at.git("add", "src/b.txt");
    expect(await hasUncommitted(at.project, at.env)).toBe(false);
    at.write({ "src/b.txt": "y\n" });
    at.git("update-index", "src/b.txt");
    expect(await hasUncommitted(at.project, at.env)).toBe(true);
  });

  test("does not include a folder that a sparse index keeps collapsed", async () => {
    using at = createSandbox();
    at.write(FILES);
    at.commit();
    at.git("sparse-checkout", "set", "--cone", "--sparse-index");
    at.git("rm", "--cached", "--quiet", "a.txt");
    at.git("add", "a.txt");
    expect(await hasUncommitted(at.project, at.env)).toBe(false);
  });

  test("is not reported if the index is unreadable", async () => {
    using at = createSandbox();
    at.write(FILES);
    at.commit();
    at.write({ ".git/index": "DIRC nonsense" });
    expect(await hasUncommitted(at.project, at.env)).toBe(false);
  });
});
