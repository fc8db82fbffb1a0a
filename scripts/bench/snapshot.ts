/** CPU of a warm snapshot beside that of `git status`, in repositories of three sizes; nothing where there is no git. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createWorkspace } from "../../src/effects/workspace.ts";
import { type Figure, figure } from "../lib/measure.ts";

const SIZES = [1_000, 10_000, 100_000];
const RUNS = 10;
const FILES_PER_FOLDER = 25;
const env = { PATH: process.env.PATH ?? "", GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" };

export default async function snapshot(): Promise<Figure[]> {
  if (Bun.which("git") === null) return [];
  const figures: Figure[] = [];
  for (const size of SIZES) figures.push(...(await compare(size)));
  return figures;
}

async function compare(size: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "ralph-bench-"));
  try {
    fill(folder, size);
    const [first, ...warm] = await snapshots(folder);
    return [
      figure(`git status, ${size} files: CPU`, "ms", statuses(folder)),
      figure(`snapshot, ${size} files: CPU`, "ms", warm),
      figure(`first snapshot, ${size} files: CPU`, "ms", first === undefined ? [] : [first]),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One commit of `size` small files, checked out; made by fast-import, since adding them takes far longer than measuring. */
function fill(folder: string, size: number): void {
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

async function snapshots(folder: string): Promise<number[]> {
  const workspace = createWorkspace(folder, { env });
  const times: number[] = [];
  for (let run = 0; run <= RUNS; run += 1) {
    const start = process.cpuUsage();
    await workspace.snapshot();
    const { user, system } = process.cpuUsage(start);
    times.push((user + system) / 1_000);
  }
  return times;
}

function statuses(folder: string): number[] {
  return Array.from({ length: RUNS }, () => git(folder, ["status", "--porcelain"]));
}

/** ms of CPU. */
function git(folder: string, args: readonly string[], input = ""): number {
  const { success, resourceUsage } = Bun.spawnSync(["git", ...args], {
    cwd: folder,
    env,
    stdio: [Buffer.from(input), "ignore", "ignore"],
  });
  if (!success) throw new Error(`git ${args.join(" ")} failed`);
  return Number(resourceUsage?.cpuTime.total ?? Number.NaN) / 1_000;
}
