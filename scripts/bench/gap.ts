/** The time between two agents in a repository of 1,000 files. */
import { makeProject, withBench } from "../lib/bench/bench-project.ts";
import { runRalph } from "../lib/bench/bench-run.ts";
import { type BenchOptions, type Figure, figure } from "../lib/bench/measure.ts";

const MOST_MS = 5;
const FILES = 1_000;
/** How long an agent works: ralph writes the last checkpoint meanwhile. */
const WORK_MS = "40";

export default function gap({ quick }: BenchOptions): Promise<Figure[]> {
  return withBench(async ({ folder, agent }) => {
    if (agent === null) return [];
    const project = makeProject(folder, "project", FILES);
    const { gaps } = await runRalph({ project, agent, iterations: quick ? 50 : 300, env: { BENCH_WORK_MS: WORK_MS } });
    return [figure(`agent end to next start, ${FILES} files`, "ms", gaps, MOST_MS)];
  });
}
