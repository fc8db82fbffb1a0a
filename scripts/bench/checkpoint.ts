/** CPU of a checkpoint of five changed files, compared with `git status`, in repositories of three sizes; skipped without git. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCheckpoints } from "../../src/effects/checkpoints/checkpoints.ts";
import { projectPaths } from "../../src/effects/project/project-paths.ts";
import { createWorkspace } from "../../src/effects/project/workspace.ts";
import { git, gitEnvironment, makeRepository } from "../lib/bench/bench-project.ts";
import { type BenchOptions, type Figure, figure, ratio } from "../lib/bench/measure.ts";

const SIZES = [1_000, 10_000, 100_000];
const RUNS = 20;
const CHANGED = 5;
/** Issue "Isolated, undoable, parallel": at most as much as `git status`, and 5 ms at 1,000 files. */
const MOST_OVER_GIT = 1;
const MOST_MS = 5;

export default async function checkpoint({ quick }: BenchOptions): Promise<Figure[]> {
  if (Bun.which("git") === null) return [];
  const figures: Figure[] = [];
  for (const size of quick ? SIZES.slice(0, 2) : SIZES) figures.push(...(await compare(size)));
  return figures;
}

async function compare(size: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "ralph-bench-"));
  try {
    makeRepository(folder, size);
    mkdirSync(join(folder, ".ralph"));
    const { first, later, statuses } = await measure(folder);
    const theirs = figure(`git status, ${size} files: CPU`, "ms", statuses);
    const most = size === SIZES[0] ? MOST_MS : undefined;
    const ours = figure(`checkpoint, ${CHANGED} changed of ${size}: CPU`, "ms", later, most);
    return [
      ours,
      ratio(`checkpoint over git status, ${size}`, ours, theirs, MOST_OVER_GIT),
      figure(`first checkpoint, ${size} files: CPU`, "ms", [first]),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Both take turns, so other load on the machine affects them alike. The snapshot that a checkpoint is made of is the loop's. */
async function measure(folder: string): Promise<{ first: number; later: number[]; statuses: number[] }> {
  const { seen, locate, snapshot } = createWorkspace(folder, { env: gitEnvironment });
  const paths = projectPaths(folder, null, null);
  const checkpoints = createCheckpoints({ paths, env: gitEnvironment, seen, snapshot, locate, now: Date.now });
  const costs: number[] = [];
  const statuses: number[] = [];
  for (let run = 0; run <= RUNS; run += 1) {
    for (let file = 0; file < CHANGED; file += 1)
      writeFileSync(join(folder, "src", "p0", "m0", `f${file}.ts`), `changed ${run} ${file}\n`);
    const tree = await snapshot();
    const begin = process.cpuUsage();
    checkpoints.make(tree, { run: "0001", name: String(run), message: "bench", onlyNew: false });
    const { user, system } = process.cpuUsage(begin);
    costs.push((user + system) / 1_000);
    statuses.push(git(folder, ["status", "--porcelain"]));
  }
  const [first = 0, ...later] = costs;
  return { first, later, statuses };
}
