/**
 * The number of processes that ralph starts for an iteration, including the agent. strace counts them; without it there
 * is no figure.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { makeProject, withBench } from "../lib/bench/bench-project.ts";
import { environment } from "../lib/bench/bench-run.ts";
import { type Figure, figure } from "../lib/bench/measure.ts";
import { binary } from "../lib/paths.ts";

const MOST = 2;
const ITERATIONS = 11;

export default function processes(): Promise<Figure[]> {
  return withBench(async ({ folder, agent }) => {
    if (agent === null || Bun.which("strace") === null) return [];
    const project = makeProject(folder, "project", 20);
    const count = (iterations: number) => started({ project, agent, trace: join(folder, "trace"), iterations });
    // The first run also asks for the agent's version, which is then cached.
    await count(1);
    const each = ((await count(ITERATIONS)) - (await count(1))) / (ITERATIONS - 1);
    return [figure("processes of an iteration", "", [each], MOST)];
  });
}

type Traced = { project: string; agent: string; trace: string; iterations: number };

async function started({ project, agent, trace, iterations }: Traced): Promise<number> {
  const calls = "trace=fork,vfork,clone,clone3";
  const ralph = [binary, "run", "--max-iterations", String(iterations)];
  const child = Bun.spawn(["strace", "-f", "-q", "--signal=none", "-e", calls, "-o", trace, ...ralph], {
    cwd: project,
    env: { ...environment(project), CLAUDE_CODE_CMD: agent },
    stdio: ["ignore", "ignore", "ignore"],
  });
  await child.exited;
  const lines = readFileSync(trace, "utf8").split("\n");
  // Lines of a call that another thread interrupts come in two parts; threads are not processes.
  return lines.filter((line) => /\b(?:v?fork|clone3?)\(/.test(line) && !line.includes("CLONE_THREAD")).length;
}
