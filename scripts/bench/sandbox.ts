/** What a call costs more inside a sandbox. */
import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeProject, withBench } from "../lib/bench/bench-project.ts";
import { environment } from "../lib/bench/bench-run.ts";
import { type BenchOptions, type Figure, figure } from "../lib/bench/measure.ts";
import { binary } from "../lib/paths.ts";

const MOST_MS = 700;
const NETWORKS = [
  ["a list of hosts", ""],
  ["no network", "none"],
] as const;

export default function sandbox({ quick }: BenchOptions): Promise<Figure[]> {
  return withBench(async ({ folder, agent }) => {
    if (agent === null || Bun.which("bwrap") === null || Bun.which("socat") === null) return [];
    const calls = quick ? 3 : 10;
    const home = join(folder, "home");
    mkdirSync(home);
    // By itself, as an agent is: what lies beside its program is shown inside.
    const program = join(folder, "bin", "agent");
    mkdirSync(dirname(program));
    copyFileSync(agent, program);
    const project = makeProject(folder, "project", 0);
    /** Wall ms of a run by its calls. A shut-in agent writes only in the project. */
    const once = async (env: Record<string, string>): Promise<number> => {
      const start = performance.now();
      const child = Bun.spawn([binary, "run", "--max-iterations", String(calls)], {
        cwd: project,
        env: {
          ...environment(project),
          ...{ HOME: home, BENCH_LOG: join(project, "bench.log"), CLAUDE_CODE_CMD: program, NO_HEADWAY_THRESHOLD: "0" },
          ...env,
        },
        stdio: ["ignore", "ignore", "pipe"],
      });
      const [code, errors] = await Promise.all([child.exited, child.stderr.text()]);
      if (code !== 4) throw new Error(`ralph run ended with exit code ${code}: ${errors}`);
      return (performance.now() - start) / calls;
    };
    const figures: Figure[] = [];
    for (const [name, hosts] of NETWORKS) {
      const more: number[] = [];
      for (let round = 0; round < (quick ? 2 : 10); round += 1) {
        // One after the other, so that other load affects both.
        const free = await once({});
        more.push((await once({ SANDBOX: "os", SANDBOX_ALLOW_DOMAINS: hosts })) - free);
      }
      figures.push(figure(`a call in bubblewrap, ${name}, more`, "ms", more, MOST_MS));
    }
    return figures;
  });
}
