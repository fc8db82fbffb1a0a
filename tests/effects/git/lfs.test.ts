/** What keeps a commit with Git LFS pointers from being pushed. */
import { expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createGit } from "../../../src/effects/git/git-program.ts";
import { uploadLfs } from "../../../src/effects/git/lfs.ts";
import { testFolder } from "../../folders.ts";

const top = testFolder("lfs");

/** A repository with one commit, its hub, and a PATH on which git is alone. */
function repository(name: string) {
  const [dir, hub, bin] = ["work", "hub.git", "bin"].map((part) => join(top, name, part)) as [string, string, string];
  for (const folder of [dir, bin]) mkdirSync(folder, { recursive: true });
  symlinkSync(Bun.which("git") ?? "", join(bin, "git"));
  const who = { GIT_AUTHOR_NAME: "t", GIT_AUTHOR_EMAIL: "t@t", GIT_COMMITTER_NAME: "t", GIT_COMMITTER_EMAIL: "t@t" };
  const env = { PATH: bin, HOME: top, ...who };
  const git = (...words: string[]) => execFileSync("git", words, { cwd: dir, env, encoding: "utf8" }).trim();
  git("init", "--quiet", "--bare", hub);
  git("init", "--quiet");
  writeFileSync(join(dir, "a"), "1\n");
  git("add", ".");
  git("commit", "--quiet", "-m", "one");
  return { dir, hub, commit: git("rev-parse", "HEAD"), git: createGit(dir, env), run: git };
}

test.skipIf(process.platform === "win32")(
  "content that nothing here can upload keeps a commit back, but not one that the hub has, nor any in a repository without Git LFS",
  async () => {
    const { dir, hub, commit, git, run } = repository("alone");
    expect(await uploadLfs(git, hub, commit)).toBe(null);
    mkdirSync(join(dir, ".git/lfs/objects"), { recursive: true });
    expect(await uploadLfs(git, hub, commit)).toContain("git-lfs, which uploads that, is not installed here");
    run("push", "--quiet", hub, "HEAD:refs/heads/main");
    expect(await uploadLfs(git, hub, commit)).toBe(null);
  },
);
