import { readFileSync } from "node:fs";

/** A process at one moment. */
export type Sample = {
  /** Epoch ms. */
  at: number;
  /** User and system time so far in ms, without children (utime and stime of /proc/PID/stat). */
  cpu: number;
  /** Current and peak resident memory in MB (1e6 bytes). */
  resident: number;
  peak: number;
};

const EVERY_MS = 10;
/** USER_HZ: the unit of times in /proc. */
const MS_PER_TICK = 10;

/**
 * Samples a process every 10 ms until it ends; its work after the last sample, at most 10 ms, is not seen. Returns
 * nothing without /proc.
 */
export async function watchProcess(pid: number, exited: Promise<unknown>): Promise<Sample[]> {
  const samples: Sample[] = [];
  let isOver = false;
  const over = exited.then(() => {
    isOver = true;
  });
  while (!isOver) {
    const sample = sampleOf(pid);
    if (sample !== null) samples.push(sample);
    await Promise.race([over, Bun.sleep(EVERY_MS)]);
  }
  return samples;
}

/** Highest resident memory in MB (1e6 bytes); NaN if the system does not report it. */
export function peakOf(samples: readonly Sample[]): number {
  return samples.length === 0 ? Number.NaN : Math.max(...samples.map(({ peak }) => peak));
}

function sampleOf(pid: number): Sample | null {
  const status = read(`/proc/${pid}/status`);
  const stat = read(`/proc/${pid}/stat`);
  const resident = kilobytes(status, "VmRSS");
  const peak = kilobytes(status, "VmHWM");
  if (resident === null || peak === null) return null;
  // Field 3 follows the name, which is in parentheses; times are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const cpu = (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  return { at: performance.timeOrigin + performance.now(), cpu, resident, peak };
}

/** In MB. */
function kilobytes(status: string, name: string): number | null {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1];
  return found === undefined ? null : (Number(found) * 1_024) / 1e6;
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // the process has ended, or there is no /proc
  }
}
