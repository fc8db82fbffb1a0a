import process from "node:process";
import { isNotOlder, isSameStart, type ProcessInfo, SPAWN_ORIGIN, startTimeFrom } from "./process-info.ts";
import { systemProgram } from "./windows-system.ts";

const TIMEOUT_MS = 10_000;

/** One line per process: pid, parent, start in epoch ms, CPU in ms. New versions of Windows no longer have wmic. */
const QUERY = `
$epoch = [datetime]::new(1970, 1, 1, 0, 0, 0, 'Utc')
Get-CimInstance Win32_Process | Where-Object { $_.CreationDate } | ForEach-Object {
  '{0} {1} {2} {3}' -f $_.ProcessId, $_.ParentProcessId,
    [long]($_.CreationDate.ToUniversalTime() - $epoch).TotalMilliseconds,
    [long](($_.KernelModeTime + $_.UserModeTime) / 10000)
}`;

const ARGV = ["-NoProfile", "-NonInteractive", "-Command", QUERY];
const OPTIONS = { encoding: "utf8", timeout: TIMEOUT_MS, windowsHide: true, maxBuffer: 64 * 1024 * 1024 } as const;

function powerShell(): string {
  return systemProgram("WindowsPowerShell", "v1.0", "powershell.exe");
}

/** All processes according to PowerShell (about half a second); empty if it cannot run. */
export function listWindows(): Promise<ProcessInfo[]> {
  const { execFile } = process.getBuiltinModule("node:child_process");
  return new Promise((resolve) => {
    try {
      execFile(powerShell(), ARGV, OPTIONS, (error, stdout) => resolve(error === null ? parseWindows(stdout) : []));
    } catch {
      resolve([]); // Bun throws some start errors instead of passing them on
    }
  });
}

/** Whether a process began after a time (epoch ms); false if unknown. Takes about half a second. */
export function beganAfter(pid: number, time: number): boolean {
  const { execFileSync } = process.getBuiltinModule("node:child_process");
  try {
    const table = parseWindows(execFileSync(powerShell(), ARGV, { ...OPTIONS, stdio: ["ignore", "pipe", "ignore"] }));
    const start = table.find((info) => info.pid === pid)?.startTime;
    const than = startTimeFrom(SPAWN_ORIGIN, time);
    return start !== undefined && isNotOlder(start, than) && !isSameStart(start, than);
  } catch {
    return false;
  }
}

/** Parses the lines of the query above. */
export function parseWindows(output: string): ProcessInfo[] {
  return output.split(/\r?\n/).flatMap((line) => {
    const [pid, parent, started, cpuMs] = line.trim().split(" ").map(Number);
    if (pid === undefined || parent === undefined || started === undefined || cpuMs === undefined) return [];
    return { pid, parent, group: 0, startTime: startTimeFrom(SPAWN_ORIGIN, started), cpuMs, isZombie: false };
  });
}
