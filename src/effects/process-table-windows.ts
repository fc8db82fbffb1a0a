import { execFile } from "node:child_process";
import { type ProcessInfo, SPAWN_ORIGIN, startTimeFrom } from "./process-info.ts";

const TIMEOUT_MS = 10_000;

/** One line a process: pid, parent, start in epoch ms, CPU in ms. wmic is gone from new versions of Windows. */
const QUERY = `
$epoch = [datetime]::new(1970, 1, 1, 0, 0, 0, 'Utc')
Get-CimInstance Win32_Process | Where-Object { $_.CreationDate } | ForEach-Object {
  '{0} {1} {2} {3}' -f $_.ProcessId, $_.ParentProcessId,
    [long]($_.CreationDate.ToUniversalTime() - $epoch).TotalMilliseconds,
    [long](($_.KernelModeTime + $_.UserModeTime) / 10000)
}`;

/** All processes by PowerShell (about half a second); empty if it can't be run. */
export function listWindows(): Promise<ProcessInfo[]> {
  const argv = ["-NoProfile", "-NonInteractive", "-Command", QUERY];
  const options = { timeout: TIMEOUT_MS, windowsHide: true, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile("powershell.exe", argv, options, (error, stdout) => resolve(error === null ? parseWindows(stdout) : []));
  });
}

/** The lines of the query above. */
export function parseWindows(output: string): ProcessInfo[] {
  return output.split(/\r?\n/).flatMap((line) => {
    const [pid, parent, started, cpuMs] = line.trim().split(" ").map(Number);
    if (pid === undefined || parent === undefined || started === undefined || cpuMs === undefined) return [];
    return { pid, parent, group: 0, startTime: startTimeFrom(SPAWN_ORIGIN, started), cpuMs, isZombie: false };
  });
}
