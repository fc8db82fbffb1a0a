/** A worktree that another git is just making: its HEAD is no commit yet. */
import { expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createGit } from "../../../src/effects/git/git-program.ts";
import { testFolders } from "../../folders.ts";

const newFolder = testFolders("half-made");

/** A repository with a worktree that is half made, until git is called for the second time; and the path of that git. */
function halfMade() {
  const root = newFolder();
  const repository = join(root, "repository");
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", repository, "-c", "user.name=a", "-c", "user.email=a@b", ...args], { encoding: "utf8" });
  mkdirSync(repository);
  git("init", "--quiet", "-b", "main");
  git("commit", "--quiet", "--allow-empty", "-m", "first");
  const own = join(root, "own");
  git("worktree", "add", "--quiet", "-b", "own", own);
  git("worktree", "add", "--quiet", "--detach", join(root, "other"));
  const head = join(repository, ".git", "worktrees", "other", "HEAD");
  const commit = git("rev-parse", "main");
  writeFileSync(head, `${"0".repeat(40)}\n`);
  const bin = join(root, "bin");
  mkdirSync(bin);
  const called = join(root, "called");
  const lines = [
    "#!/bin/sh",
    `if test -e "${called}"; then printf '%s\\n' ${commit.trim()} > "${head}"; fi`,
    `touch "${called}"`,
    `exec "${Bun.which("git")}" "$@"`,
  ];
  writeFileSync(join(bin, "git"), `${lines.join("\n")}\n`, { mode: 0o755 });
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  return { hub: join(repository, ".git"), git: createGit(own, env) };
}

test.skipIf(process.platform === "win32").each([
  ["a fetch", (hub: string) => ["fetch", "--quiet", "--no-write-fetch-head", hub, "refs/heads/main"]],
  ["a push", (hub: string) => ["push", "--porcelain", hub, "HEAD:refs/heads/pushed"]],
])("%s waits until it is made", async (_, args) => {
  const { hub, git } = halfMade();
  if (args(hub)[0] === "push")
    execFileSync("git", [
      "-C",
      git.dir,
      "-c",
      "user.name=a",
      "-c",
      "user.email=a@b",
      "commit",
      "-q",
      "--allow-empty",
      "-m",
      "mine",
    ]);
  const { code, stderr } = await git.run(args(hub));
  expect([code, stderr]).toEqual([0, expect.not.stringContaining("bad object")]);
});
