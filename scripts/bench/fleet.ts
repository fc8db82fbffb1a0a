/** Eight workers under Slurm beside one, a third of them killed while at work. Linux with Debian's slurm-wlm and munge. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { withBench } from "../lib/bench/bench-project.ts";
import { type BenchOptions, type Figure, figure } from "../lib/bench/measure.ts";
import { runOneWorker, runSlurmArray } from "../lib/fleet/array.ts";

const WORKERS = 8;
/** Issue "Isolated, undoable, parallel": at least 0.8 x 8 of one worker's speed. */
const MOST_OVER_IDEAL = 1.25;

export default function fleet({ quick }: BenchOptions): Promise<Figure[]> {
  return withBench(async ({ folder }) => {
    if (Bun.which("slurmctld") === null) return [];
    const [tasks, agentSeconds] = quick ? [16, 1] : [64, 4];
    const [alone, together] = ["alone", "together"].map((name) => join(folder, name)) as [string, string];
    for (const each of [alone, together]) mkdirSync(each);
    const one = await runOneWorker(alone, quick ? 2 : 6, agentSeconds);
    const { ms, killed, did } = await runSlurmArray(together, { workers: WORKERS, tasks, agentSeconds });
    if (killed === 0 || did.length !== tasks) throw new Error(`${did.length} of ${tasks} tasks, ${killed} killed`);
    return [
      figure("a task of one worker", "ms", [one]),
      figure(`${tasks} tasks of ${WORKERS} workers, ${killed} of them killed`, "ms", [ms]),
      figure("eight workers over an eighth of one's time", "x", [ms / ((one * tasks) / WORKERS)], MOST_OVER_IDEAL),
    ];
  });
}
