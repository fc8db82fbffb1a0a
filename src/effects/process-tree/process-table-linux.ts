import process from "node:process";
import { namesIn } from "../files/names-in.ts";
import { readKernelText } from "../files/regular-file.ts";
import { type ProcessInfo, startTimeFrom } from "./process-info.ts";

/** USER_HZ, the unit of times in /proc: 100 per second on every architecture that ralph supports. */
const MS_PER_TICK = 10;

/** During exec a process's environment reads as empty for some microseconds. */
const EXEC_ATTEMPTS = 5;

/** Ticks count from boot; with its id, a start time never matches after a reboot. No process lives to see another one. */
const BOOT = process.platform === "linux" ? readOr("/proc/sys/kernel/random/boot_id").trim() : "";

/** All processes from /proc (about 10 µs each). @param from skip lower pids */
export function listLinux(from = 0): ProcessInfo[] {
  return namesIn("/proc")
    .filter((name) => isDigit(name.charCodeAt(0)) && Number(name) >= from)
    .flatMap((name) => parseStat(readOr(`/proc/${name}/stat`), BOOT) ?? []);
}

/** How many processes the system has started since boot; null if unknown. */
export function forksLinux(): number | null {
  const count = /^processes (\d+)$/m.exec(readOr("/proc/stat"))?.[1];
  return count === undefined ? null : Number(count);
}

/**
 * A process and all that were started after it: the kernel counts pids upwards until they wrap. In a container the fork count
 * covers the whole machine, so at worst a wrap is assumed where there is none.
 * @param forks `forksLinux` before `pid` was started; null: unknown
 */
export function listLinuxSince(pid: number, forks: number | null): ProcessInfo[] {
  const now = forks === null ? null : forksLinux();
  if (forks === null || now === null) return listLinux();
  // Nothing but the process itself, on the whole machine.
  if (now - forks === 1) return [readLinux(pid)].filter((info) => info !== null);
  const most = Number(readOr("/proc/sys/kernel/pid_max"));
  return listLinux(pid + (now - forks) < most ? pid : 0);
}

/** One process, or null if it is gone. */
export function readLinux(pid: number): ProcessInfo | null {
  return parseStat(readOr(`/proc/${pid}/stat`), BOOT);
}

/** Whether a process was started with `NAME=value` in its environment; false if that is unreadable. */
export function hasEnvironment(pid: number, entry: string): boolean {
  for (let attempt = 0; attempt < EXEC_ATTEMPTS; attempt += 1) {
    const environment = readOr(`/proc/${pid}/environ`);
    if (environment !== "") return `\0${environment}\0`.includes(`\0${entry}\0`);
  }
  return false;
}

/** Whether a line of a process's resource limits begins so. */
export function hasLimit(pid: number, line: string): boolean {
  return `\n${readOr(`/proc/${pid}/limits`)}`.includes(`\n${line}`);
}

/** Parses /proc/PID/stat (proc_pid_stat(5)); null if the line is something else. */
export function parseStat(line: string, boot: string): ProcessInfo | null {
  // The second field is the program's name in parentheses; it may contain blanks and parentheses.
  const nameEnd = line.lastIndexOf(")");
  if (nameEnd === -1) return null;
  const [state, parent, group, ...rest] = line.slice(nameEnd + 2).split(" ");
  // rest[0] is field 6; times are fields 14 to 17, the start is field 22.
  const ticks = rest.slice(8, 12).reduce((sum, field) => sum + Number(field), 0);
  return {
    pid: Number.parseInt(line, 10),
    parent: Number(parent),
    group: Number(group),
    startTime: startTimeFrom(boot, Number(rest[16])),
    cpuMs: ticks * MS_PER_TICK,
    isZombie: state === "Z" || state === "X",
  };
}

/** What the kernel says there; "" where that cannot be read, as of a process that has just ended. */
export function readOr(path: `/proc/${string}`): string {
  try {
    return readKernelText(path);
  } catch {
    return "";
  }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
