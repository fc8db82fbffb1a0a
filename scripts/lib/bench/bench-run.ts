import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../paths.ts";
import { cleanEnvironment } from "../tests/environment.ts";
import { peakOf, type Sample, watchProcess } from "./process-samples.ts";

/** The cost of one `ralph run` with the fast agent. Times are ms. */
export type RunCost = {
  /** From the start of ralph to that of its first agent. */
  launch: number;
  /** From the end of each agent to the start of the next. */
  gaps: number[];
  /** Epoch ms at which each agent started. */
  starts: number[];
  /** CPU of ralph itself, without its children; NaN if the system does not report it. */
  cpu: number;
  /** CPU of all processes that it started and waited for, and its own. */
  treeCpu: number;
  /** Highest resident memory in MB (1e6 bytes); NaN if the system does not report it. */
  peak: number;
  samples: readonly Sample[];
};

export type RunInput = {
  project: string;
  agent: string;
  iterations: number;
  /** Variables for the agent: BENCH_EVENTS, BENCH_RESULT_BYTES. */
  env?: Record<string, string>;
};

/** The exit code of a run that used up its iterations. */
const USED_UP = 4;

/** Runs ralph in a project until its iterations are used up. */
export function runRalph({ project, agent, iterations, env = {} }: RunInput): Promise<RunCost> {
  const argv = [binary, "run", "--max-iterations", String(iterations)];
  // The agent writes one file again and again, which would end a run of people.
  return runLoop(argv, { project, exit: USED_UP, env: { NO_HEADWAY_THRESHOLD: "0", CLAUDE_CODE_CMD: agent, ...env } });
}

export type LoopInput = {
  project: string;
  /** The exit code of a run that went as it should. */
  exit: number;
  env: Record<string, string>;
};

/** Runs any loop in a project to its end. @throws Error if it ends with another exit code */
export async function runLoop(argv: readonly string[], { project, exit, env }: LoopInput): Promise<RunCost> {
  const log = join(project, ".ralph", "bench.log");
  rmSync(log, { force: true });
  const start = performance.timeOrigin + performance.now();
  const child = Bun.spawn([...argv], {
    cwd: project,
    env: { ...environment(project), BENCH_LOG: log, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const watched = watchProcess(child.pid, child.exited);
  const [code, errors, samples] = await Promise.all([child.exited, child.stderr.text(), watched]);
  if (code !== exit) throw new Error(`${argv.join(" ")} ended with exit code ${code}: ${errors}`);
  return {
    ...timesOf(log, start),
    cpu: samples.at(-1)?.cpu ?? Number.NaN,
    treeCpu: Number(child.resourceUsage()?.cpuTime.total ?? Number.NaN) / 1_000,
    peak: peakOf(samples),
    samples,
  };
}

/** The environment of a measured ralph: no user settings, and no limit of calls. */
export function environment(project: string): Record<string, string> {
  const home = join(project, ".ralph", "home");
  // As root, Claude Code refuses to skip permissions outside of a sandbox; this is one.
  return { ...cleanEnvironment(home), IS_SANDBOX: "1", MAX_CALLS_PER_HOUR: "1000000" };
}

function timesOf(log: string, start: number): Pick<RunCost, "launch" | "gaps" | "starts"> {
  const lines = existsSync(log) ? readFileSync(log, "utf8").trimEnd().split("\n") : [];
  const notes = lines.map((line) => ({ what: line.slice(0, line.indexOf(" ")), at: epochMs(line) }));
  const starts = notes.flatMap(({ what, at }) => (what === "start" ? [at] : []));
  const ends = notes.flatMap(({ what, at }) => (what === "end" ? [at] : []));
  const gaps = starts.slice(1).map((at, index) => at - (ends[index] ?? Number.NaN));
  return { launch: (starts[0] ?? Number.NaN) - start, gaps, starts };
}

function epochMs(line: string): number {
  return Number(line.slice(line.indexOf(" ") + 1)) * 1_000;
}
