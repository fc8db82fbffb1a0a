import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";

/** One measured value. */
export type Figure = {
  name: string;
  unit: string;
  min: number;
  median: number;
  /** The number of values behind it. */
  runs: number;
  /** The maximum for the median; null without a target. */
  target: number | null;
  /** Whether the median meets the target; null without one. */
  ok: boolean | null;
};

export type BenchOptions = {
  /** Fewer runs, to check that a measurement works; the figures are unreliable. */
  quick: boolean;
  /** The folder of other loops, as for `npm run proof`; null: ours is measured alone. */
  peers: string | null;
};

/** The default export of a file in scripts/bench/. */
export type Measure = (options: BenchOptions) => Promise<Figure[]>;

/** Makes a figure of the smallest and the middle value: the cost of the program, and its cost on a busy machine. */
export function figure(name: string, unit: string, values: readonly number[], target: number | null = null): Figure {
  const sorted = [...values].sort((a, b) => a - b);
  const median = medianOf(sorted);
  const ok = target === null ? null : median <= target;
  return { name, unit, min: sorted[0] ?? Number.NaN, median, runs: sorted.length, target, ok };
}

/** One figure over another of the same run, so that other load on the machine affects both. */
export function ratio(name: string, over: Figure, under: Figure, target: number | null): Figure {
  const median = over.median / under.median;
  const min = over.min / under.min;
  return { name, unit: "x", min, median, runs: over.runs, target, ok: target === null ? null : median <= target };
}

/** The middle value; NaN for an empty list. */
export function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/**
 * Wall ms of `runs` starts of each program, after two that fill the caches. The programs take turns, so other load on
 * the machine affects them alike.
 * @param cwd the folder to start them in; default: this one
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
 * Peak resident memory of a program in MB (1e6 bytes), the highest of `runs` starts.
 * On Linux it is read from the live process and may miss the last moment of a short one: the kernel's final figure
 * would include the parent's memory.
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

/** The highest VmHWM in bytes, polled without a pause until the process has ended. */
function highWaterMark(pid: number): number {
  let bytes = 0;
  for (;;) {
    const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, "utf8") : "";
    const kilobytes = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1];
    if (kilobytes === undefined) return bytes;
    bytes = Math.max(bytes, Number(kilobytes) * 1024);
  }
}
