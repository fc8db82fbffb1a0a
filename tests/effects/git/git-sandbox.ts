/** A temporary folder with real git in it, isolated from the machine's settings. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import type { Workspace, WorkspaceChange } from "../../../src/effects/ports.ts";
import { createWorkspace } from "../../../src/effects/project/workspace.ts";

export type Sandbox = {
  /** The project's folder; a repository by default. */
  readonly project: string;
  readonly folder: string;
  readonly env: Record<string, string>;
  path(...names: string[]): string;
  /** Writes files by path; creates folders as needed. */
  write(files: Readonly<Record<string, string | Buffer>>): void;
  git(...args: string[]): string;
  gitIn(folder: string, ...args: string[]): string;
  /** Commits everything; returns the id. */
  commit(message?: string): string;
  /** The paths that `git status` lists, relative to the project. */
  status(): string[];
  workspace(): Workspace;
  /** The changes that the workspace sees of an action. */
  changes(action: () => void): Promise<WorkspaceChange>;
  [Symbol.dispose](): void;
};

/**
 * @param start "repository": with an empty repository; "plain": without one; a folder: the project, already created by git
 */
export function createSandbox(start: "repository" | "plain" = "repository"): Sandbox {
  // Native: on Windows it returns long names, as git does.
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "ralph-git-")));
  const project = join(folder, "project");
  mkdirSync(project);
  mkdirSync(join(folder, "home"));
  const sandbox = openSandbox(folder, project);
  if (start === "repository") sandbox.git("init", "--quiet", "--initial-branch=main");
  return sandbox;
}

export function openSandbox(folder: string, project: string): Sandbox {
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? "",
    HOME: join(folder, "home"),
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_ALLOW_PROTOCOL: "file",
    GIT_AUTHOR_NAME: "A",
    GIT_AUTHOR_EMAIL: "a@example.org",
    GIT_COMMITTER_NAME: "A",
    GIT_COMMITTER_EMAIL: "a@example.org",
  };
  const gitIn = (cwd: string, ...args: string[]): string =>
    execFileSync("git", args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
  const git = (...args: string[]): string => gitIn(project, ...args);
  const workspace = (): Workspace => createWorkspace(project, { env });
  return {
    folder,
    project,
    env,
    git,
    gitIn,
    workspace,
    path: (...names) => join(project, ...names),
    write(files) {
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(join(project, name)), { recursive: true });
        writeFileSync(join(project, name), content);
      }
    },
    commit(message = "work") {
      git("add", "--all");
      git("commit", "--quiet", "--allow-empty", "--message", message);
      return git("rev-parse", "HEAD");
    },
    status() {
      const prefix = git("rev-parse", "--show-prefix");
      const output = execFileSync("git", ["status", "--porcelain=v2", "-z", "-uall", "--no-renames", "."], {
        cwd: project,
        env,
        encoding: "utf8",
      });
      const paths = output
        .split("\0")
        .filter((line) => line !== "")
        .map(statusPath);
      return paths.map((path) => path.slice(prefix.length)).sort();
    },
    async changes(action) {
      const open = workspace();
      const before = await open.snapshot();
      action();
      return open.changes(before, await open.snapshot());
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** `1 XY sub mH mI mW hH hI path`, `u` with two more, `? path`. */
function statusPath(line: string): string {
  const fields = { "1": 8, u: 10, "?": 1 }[line[0] ?? ""] ?? 0;
  return line.split(" ").slice(fields).join(" ");
}
