/**
 * A long run in a small project: CPU per iteration beyond the agent's own, and whether time and memory stay constant.
 * Only ralph's own CPU counts, as the slope between a run of one iteration and the long one.
 */
import { makeProject, withBench } from "../lib/bench/bench-project.ts";
import { type RunCost, runRalph } from "../lib/bench/bench-run.ts";
import { type BenchOptions, type Figure, figure, medianOf } from "../lib/bench/measure.ts";

const MOST_CPU_MS = 3;
const MOST_GROWTH = 1.1;
const SMALL = 20;
const WINDOW = 50;

export default function iterations({ quick }: BenchOptions): Promise<Figure[]> {
  const many = quick ? 300 : 2_000;
  return withBench(async ({ folder, agent }) => {
    if (agent === null) return [];
    const one = await runRalph({ project: makeProject(folder, "one", SMALL), agent, iterations: 1 });
    const run = await runRalph({ project: makeProject(folder, "many", SMALL), agent, iterations: many });
    if (run.samples.length === 0) return [figure("agent end to next start, small", "ms", run.gaps)];
    const early = Math.floor(many / 4);
    const gapGrowth = medianOf(run.gaps.slice(-WINDOW)) / medianOf(run.gaps.slice(early, early + WINDOW));
    const memoryGrowth = memory(run, many - WINDOW, many) / memory(run, early, early + WINDOW);
    const over = `last ${WINDOW} of ${many} over ${early} to ${early + WINDOW}`;
    return [
      figure("CPU of an iteration", "ms", [(run.cpu - one.cpu) / (many - 1)], MOST_CPU_MS),
      figure("agent end to next start, small", "ms", run.gaps),
      figure(`gap: ${over}`, "x", [gapGrowth], MOST_GROWTH),
      figure(`memory: ${over}`, "x", [memoryGrowth], MOST_GROWTH),
      figure(`peak memory, ${many} iterations`, "MB", [run.peak]),
    ];
  });
}

/** MB during the iterations `from` to `to`. */
function memory({ starts, samples }: RunCost, from: number, to: number): number {
  const [first = 0, last = 0] = [starts[from], starts[Math.min(to, starts.length - 1)]];
  return medianOf(samples.filter(({ at }) => at >= first && at <= last).map(({ resident }) => resident));
}
