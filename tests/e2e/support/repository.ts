/** A repository with one commit. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

type Env = Readonly<Record<string, string>>;

/** What `git init` makes here; made once, and gone on with its process. */
let made: { folder: string; from: string } | null = null;

export function initRepository(dir: string, env: Env): void {
  const from = JSON.stringify(Object.entries(env).filter(([key]) => key.startsWith("GIT_")));
  if (made?.from !== from) {
    const folder = mkdtempSync(join(tmpdir(), "ralph-e2e-git-"));
    process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
    git(folder, env, "init", "-q");
    made = { folder, from };
  }
  cpSync(join(made.folder, ".git"), join(dir, ".git"), { recursive: true });
}

export function commitAll(dir: string, env: Env): void {
  git(dir, env, "add", "-A");
  // Without the process that looks whether there is something to tidy up.
  git(dir, env, "-c", "maintenance.auto=false", "commit", "-q", "--allow-empty", "-m", "start");
}

function git(cwd: string, env: Env, ...words: string[]): void {
  const { status, stderr } = spawnSync("git", words, { cwd, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${words.join(" ")}: ${stderr}`);
}
