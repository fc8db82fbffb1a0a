import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compileAgent } from "./bench-agent.ts";
import type { Figure } from "./measure.ts";

const FILES_PER_FOLDER = 25;

/** Keeps the user's own git settings out. */
export const gitEnvironment = {
  PATH: process.env.PATH ?? "",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
};

/** A folder for one measurement, with an agent to run in it. */
export type Bench = {
  folder: string;
  /** The fast agent; null if it cannot be compiled. */
  agent: string | null;
};

/** Makes the folder, measures in it and removes it. */
export async function withBench<T>(measure: (bench: Bench) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "ralph-bench-"));
  try {
    return await measure({ folder, agent: compileAgent(folder) });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes a project with an open plan; with `files`, in a git repository if there is git. @returns its folder */
export function makeProject(parent: string, name: string, files: number): string {
  const folder = join(parent, name);
  mkdirSync(join(folder, ".ralph"), { recursive: true });
  if (Bun.which("git") !== null) makeRepository(folder, files);
  writeFileSync(join(folder, ".ralph", "PROMPT.md"), "Work on the next open task.\n");
  writeFileSync(join(folder, ".ralph", "fix_plan.md"), "- [x] The first task\n- [ ] The second task\n");
  return folder;
}

/**
 * Makes one commit of `size` small files and checks it out. Uses fast-import, because adding the files takes far longer
 * than the measurement.
 */
export function makeRepository(folder: string, size: number): void {
  const paths = Array.from({ length: size }, (_, file) => {
    const module = Math.floor(file / FILES_PER_FOLDER);
    return `M 100644 :1 src/p${Math.floor(module / 40)}/m${module}/f${file}.ts`;
  });
  const lines = [
    "blob",
    "mark :1",
    "data 2",
    "x\n",
    "commit refs/heads/main",
    "committer A <a@b> 0 +0000",
    "data 1",
    "x",
  ];
  git(folder, ["init", "--quiet", "--initial-branch=main"]);
  git(folder, ["fast-import", "--quiet"], [...lines, ...paths, ""].join("\n"));
  git(folder, ["reset", "--quiet", "--hard"]);
  git(folder, ["update-index", "--refresh"]);
}

/** Runs git in a folder. @returns ms of its CPU */
export function git(folder: string, args: readonly string[], input = ""): number {
  const { success, resourceUsage } = Bun.spawnSync(["git", ...args], {
    cwd: folder,
    env: gitEnvironment,
    stdio: [Buffer.from(input), "ignore", "ignore"],
  });
  if (!success) throw new Error(`git ${args.join(" ")} failed`);
  return Number(resourceUsage?.cpuTime.total ?? Number.NaN) / 1_000;
}

const SIZES = [1_000, 10_000, 100_000];

/** Measures in repositories of three sizes, with `quick` of two; in none without git. */
export async function inRepositories(
  quick: boolean,
  measure: (folder: string, size: number) => Promise<Figure[]>,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const size of Bun.which("git") === null ? [] : quick ? SIZES.slice(0, 2) : SIZES) {
    const folder = mkdtempSync(join(tmpdir(), "ralph-bench-"));
    try {
      makeRepository(folder, size);
      figures.push(...(await measure(folder, size)));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return figures;
}
