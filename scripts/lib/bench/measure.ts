import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";

/** One measured value. */
export type Figure = {
  name: string;
  unit: string;
  min: number;
  median: number;
  /** How many values it was taken from. */
  runs: number;
  /** What the median is to be at most; null where nothing is asked. */
  target: number | null;
  /** Whether it is; null without a target. */
  ok: boolean | null;
};

export type BenchOptions = {
  /** Fewer runs: to see that a measurement works, not to be relied on. */
  quick: boolean;
};

/** A file of scripts/bench/ exports one as its default. */
export type Measure = (options: BenchOptions) => Promise<Figure[]>;

/** Smallest and middle value. The smallest is what the program costs, the middle what a busy machine makes of it. */
export function figure(name: string, unit: string, values: readonly number[], target: number | null = null): Figure {
  const sorted = [...values].sort((a, b) => a - b);
  const median = medianOf(sorted);
  const ok = target === null ? null : median <= target;
  return { name, unit, min: sorted[0] ?? Number.NaN, median, runs: sorted.length, target, ok };
}

/** One figure over another of the same run, which what else the machine does meets alike. */
export function ratio(name: string, over: Figure, under: Figure, target: number): Figure {
  const median = over.median / under.median;
  const min = over.min / under.min;
  return { name, unit: "x", min, median, runs: over.runs, target, ok: median <= target };
}

/** The middle value; NaN of none. */
export function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/**
 * ms of wall clock of `runs` starts of each program, after two that fill the caches. The programs take turns, so that
 * what else the machine does meets them alike.
 * @param cwd where they are started; absent: here
 */
export function startTimes(programs: readonly (readonly string[])[], runs: number, cwd?: string): number[][] {
  const once = ([program = "", ...args]: readonly string[]) => {
    const start = performance.now();
    const { status } = spawnSync(program, args, { stdio: "ignore", cwd });
    if (status !== 0) throw new Error(`${program} ended with exit code ${status}`);
    return performance.now() - start;
  };
  const rounds = Array.from({ length: runs + 2 }, () => programs.map(once)).slice(2);
  return programs.map((_, index) => rounds.map((round) => round[index] ?? Number.NaN));
}

/**
 * Peak resident memory of a program in MB (1e6 bytes): the highest of `runs` starts.
 * On Linux it is read from the live process, which may miss the last moment of a short one, since the figure that the
 * kernel gives at the end includes the parent's memory.
 */
export async function peakMemory(argv: readonly string[], runs: number): Promise<number> {
  let peak = 0;
  for (let run = 0; run < runs; run++) {
    const child = Bun.spawn([...argv], { stdio: ["ignore", "ignore", "ignore"] });
    const seen = process.platform === "linux" ? highWaterMark(child.pid) : null;
    await child.exited;
    peak = Math.max(peak, seen ?? child.resourceUsage()?.maxRSS ?? 0);
  }
  return peak / 1e6;
}

/** The highest value of VmHWM in bytes, looked at without a pause until the process has ended. */
function highWaterMark(pid: number): number {
  let bytes = 0;
  for (;;) {
    const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, "utf8") : "";
    const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1];
    if (kilobytes === undefined) return bytes;
    bytes = Math.max(bytes, Number(kilobytes) * 1024);
  }
}
