/** CPU of finding one changed file, compared with `git status`, in repositories of three sizes; skipped without git. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createWorkspace } from "../../src/effects/project/workspace.ts";
import { git, gitEnvironment, inRepositories } from "../lib/bench/bench-project.ts";
import { type BenchOptions, type Figure, figure, ratio } from "../lib/bench/measure.ts";

/** The small one takes milliseconds: 150 as issue 18 has it, so that the middle one is past the first, uncompiled looks. */
const runsIn = (size: number) => (size === 1_000 ? 150 : 10);
/** The bound over `git status`, in a repository of `size` files. */
const mostOverGit = (size: number) => (size === 10_000 ? 1.2 : 1);

export default function snapshot({ quick }: BenchOptions): Promise<Figure[]> {
  return inRepositories(quick, compare);
}

async function compare(folder: string, size: number): Promise<Figure[]> {
  const [{ first, warm }, statuses] = await measure(folder, runsIn(size));
  const theirs = figure(`git status, ${size} files: CPU`, "ms", statuses);
  const ours = figure(`seeing a changed file of ${size}: CPU`, "ms", warm);
  return [
    theirs,
    ours,
    ratio(`seeing a changed file over git, ${size}`, ours, theirs, mostOverGit(size)),
    figure(`first snapshot, ${size} files: CPU`, "ms", [first]),
  ];
}

/** Both take turns, so other load on the machine affects them alike. */
async function measure(folder: string, runs: number): Promise<[{ first: number; warm: number[] }, number[]]> {
  const workspace = createWorkspace(folder, { env: gitEnvironment });
  const warm: number[] = [];
  const statuses: number[] = [];
  const start = process.cpuUsage();
  let before = await workspace.snapshot();
  const first = since(start);
  for (let run = 0; run < runs; run += 1) {
    writeFileSync(join(folder, "src", "p0", "m0", "f1.ts"), `changed ${run}\n`);
    const begin = process.cpuUsage();
    const after = await workspace.snapshot();
    const { files } = await workspace.changes(before, after);
    workspace.fingerprint(after);
    warm.push(since(begin));
    if (files.length !== 1) throw new Error(`one file was changed, ${files.length} were seen`);
    before = after;
    statuses.push(git(folder, ["status", "--porcelain"]));
  }
  return [{ first, warm }, statuses];
}

/** ms of CPU. */
function since(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
