import process from "node:process";
import { type ProcessInfo, startTimeFrom } from "./process-info.ts";

const COLUMNS = "pid=,ppid=,pgid=,stat=,time=,lstart=";
const TIMEOUT_MS = 5000;

/** All processes according to ps (macOS, BSD); empty if it cannot run. */
export function listPs(): Promise<ProcessInfo[]> {
  const { execFile } = process.getBuiltinModule("node:child_process");
  const options = { env: environment(), timeout: TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile("ps", ["-axo", COLUMNS], options, (error, stdout) => resolve(error === null ? parsePs(stdout) : []));
  });
}

/** One process, or null if it is gone. */
export function readPs(pid: number): ProcessInfo | null {
  const { execFileSync } = process.getBuiltinModule("node:child_process");
  const argv = ["-o", COLUMNS, "-p", String(pid)];
  try {
    const output = execFileSync("ps", argv, {
      env: environment(),
      timeout: TIMEOUT_MS,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return parsePs(output.toString("utf8"))[0] ?? null;
  } catch {
    return null;
  }
}

/** `lstart` is a local date; a fixed locale and zone make each reading equal. */
function environment(): NodeJS.ProcessEnv {
  return { ...process.env, LC_ALL: "C", TZ: "UTC" };
}

/** Parses `ps -o pid=,ppid=,pgid=,stat=,time=,lstart=` run with TZ=UTC. */
export function parsePs(output: string): ProcessInfo[] {
  return output.split("\n").flatMap((line) => {
    const [pid, parent, group, state, time, ...date] = line.trim().split(/\s+/);
    if (state === undefined || time === undefined) return [];
    const started = Date.parse(`${date.join(" ")} UTC`);
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      startTime: startTimeFrom("ps", started),
      cpuMs: cpuMs(time),
      isZombie: state.startsWith("Z"),
    };
  });
}

/** Converts `[[days-]hours:]minutes:seconds[.hundredths]` to ms. */
function cpuMs(time: string): number {
  const [clock = "", days = "0"] = time.split("-").reverse();
  const seconds = clock.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  return Math.round((Number(days) * 86_400 + seconds) * 1000);
}
