import { execFile, execFileSync } from "node:child_process";
import { isNotOlder, isSameStart, type ProcessInfo, SPAWN_ORIGIN, startTimeFrom } from "./process-info.ts";
import { systemProgram } from "./windows-system.ts";

const TIMEOUT_MS = 10_000;

/** One line a process: pid, parent, start in epoch ms, CPU in ms. wmic is gone from new versions of Windows. */
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

/** All processes by PowerShell (about half a second); empty if it can't be run. */
export function listWindows(): Promise<ProcessInfo[]> {
  return new Promise((resolve) => {
    try {
      execFile(powerShell(), ARGV, OPTIONS, (error, stdout) => resolve(error === null ? parseWindows(stdout) : []));
    } catch {
      resolve([]); // Bun throws some of the reasons why a program does not start
    }
  });
}

/** Whether a process began after a time (epoch ms); false where it can't be told. Takes as long. */
export function beganAfter(pid: number, time: number): boolean {
  try {
    const table = parseWindows(execFileSync(powerShell(), ARGV, { ...OPTIONS, stdio: ["ignore", "pipe", "ignore"] }));
    const start = table.find((info) => info.pid === pid)?.startTime;
    const than = startTimeFrom(SPAWN_ORIGIN, time);
    return start !== undefined && isNotOlder(start, than) && !isSameStart(start, than);
  } catch {
    return false;
  }
}

/** The lines of the query above. */
export function parseWindows(output: string): ProcessInfo[] {
  return output.split(/\r?\n/).flatMap((line) => {
    const [pid, parent, started, cpuMs] = line.trim().split(" ").map(Number);
    if (pid === undefined || parent === undefined || started === undefined || cpuMs === undefined) return [];
    return { pid, parent, group: 0, startTime: startTimeFrom(SPAWN_ORIGIN, started), cpuMs, isZombie: false };
  });
}
