/** The cost of an update check for a run if the server accepts the request and never answers. */
import { join } from "node:path";
import { type Bench, makeProject, withBench } from "../lib/bench/bench-project.ts";
import { type RunCost, runRalph } from "../lib/bench/bench-run.ts";
import { type BenchOptions, type Figure, figure } from "../lib/bench/measure.ts";

/** The check runs beside the work (product.md "Self-update check"). */
const MOST_MS = 50;

type Timed = Pick<RunCost, "launch"> & { all: number };

export default function updateCheck({ quick }: BenchOptions): Promise<Figure[]> {
  return withBench(async (bench) => {
    if (bench.agent === null) return [];
    const asked: string[] = [];
    const server = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { data: (_, bytes) => void asked.push(bytes.toString()) },
    });
    const checking = { RALPH_UPDATE_CHECK: "always", RALPH_UPDATE_URL: `http://127.0.0.1:${server.port}` };
    const pairs: { without: Timed; with: Timed }[] = [];
    try {
      // Both take turns, so other load on the machine affects them alike.
      for (let pair = 0; pair < (quick ? 5 : 20); pair += 1) {
        const without = await timedRun(bench, `project-${pair}-without`, { RALPH_UPDATE_CHECK: "false" });
        pairs.push({ without, with: await timedRun(bench, `project-${pair}-with`, checking) });
      }
    } finally {
      server.stop(true);
    }
    if (asked.length < pairs.length)
      throw new Error(`only ${asked.length} of ${pairs.length} runs asked for a release`);
    return [
      figure(
        "slow update check: delay of the first agent",
        "ms",
        pairs.map((pair) => pair.with.launch - pair.without.launch),
      ),
      figure(
        "slow update check: delay of the whole run",
        "ms",
        pairs.map((pair) => pair.with.all - pair.without.all),
        MOST_MS,
      ),
    ];
  });
}

async function timedRun({ folder, agent }: Bench, name: string, env: Record<string, string>): Promise<Timed> {
  const project = makeProject(folder, name, 20);
  const start = performance.now();
  const { launch } = await runRalph({ project, agent: agent ?? join(folder, "agent"), iterations: 3, env });
  return { launch, all: performance.now() - start };
}
