/** The time from ralph's start to its first agent's, in a small project, and the memory of a short run there. */
import { join } from "node:path";
import { makeProject, withBench } from "../lib/bench/bench-project.ts";
import { runRalph } from "../lib/bench/bench-run.ts";
import { type BenchOptions, type Figure, figure } from "../lib/bench/measure.ts";

const MOST_MS = 30;
const MOST_MB = 60;
const SMALL = 20;
const ITERATIONS = 20;

export default function launch({ quick }: BenchOptions): Promise<Figure[]> {
  return withBench(async ({ folder, agent }) => {
    if (agent === null) return [];
    const launches: number[] = [];
    const peaks: number[] = [];
    for (let run = 0; run < (quick ? 5 : 30); run += 1) {
      const project = makeProject(folder, `project-${run}`, SMALL);
      launches.push((await runRalph({ project, agent, iterations: 1 })).launch);
    }
    const again = join(folder, "project-0");
    for (let run = 0; run < (quick ? 2 : 5); run += 1) {
      peaks.push((await runRalph({ project: again, agent, iterations: ITERATIONS })).peak);
    }
    return [
      figure("launch to first agent", "ms", launches, MOST_MS),
      figure(`peak memory, ${ITERATIONS} iterations`, "MB", peaks, MOST_MB),
    ];
  });
}
