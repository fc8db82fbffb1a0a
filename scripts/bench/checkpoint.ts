/** CPU of a checkpoint of five changed files, compared with `git status`, in repositories of three sizes; skipped without git. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCheckpoints } from "../../src/effects/checkpoints/checkpoints.ts";
import { projectPaths } from "../../src/effects/project/project-paths.ts";
import { createWorkspace } from "../../src/effects/project/workspace.ts";
import { git, gitEnvironment, inRepositories } from "../lib/bench/bench-project.ts";
import { type BenchOptions, type Figure, figure, ratio } from "../lib/bench/measure.ts";

const RUNS = 20;
const CHANGED = 5;
/** Issue "Isolated, undoable, parallel": at most as much as `git status`, and 5 ms at 1,000 files. */
const MOST_OVER_GIT = 1;
const MOST_MS = 5;

export default function checkpoint({ quick }: BenchOptions): Promise<Figure[]> {
  return inRepositories(quick, compare);
}

async function compare(folder: string, size: number): Promise<Figure[]> {
  mkdirSync(join(folder, ".ralph"));
  const { first, later, statuses } = await measure(folder);
  const theirs = figure(`git status, ${size} files: CPU`, "ms", statuses);
  const most = size === 1_000 ? MOST_MS : undefined;
  const ours = figure(`checkpoint, ${CHANGED} changed of ${size}: CPU`, "ms", later, most);
  return [
    ours,
    ratio(`checkpoint over git status, ${size}`, ours, theirs, MOST_OVER_GIT),
    figure(`first checkpoint, ${size} files: CPU`, "ms", [first]),
  ];
}

/** Both take turns, so other load on the machine affects them alike. The snapshot that a checkpoint is made of is the loop's. */
async function measure(folder: string): Promise<{ first: number; later: number[]; statuses: number[] }> {
  const { seen, locate, snapshot } = createWorkspace(folder, { env: gitEnvironment });
  const paths = projectPaths(folder, null, null);
  const checkpoints = createCheckpoints({ paths, env: gitEnvironment, seen, locate, now: Date.now });
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
