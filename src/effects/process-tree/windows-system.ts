import { win32 } from "node:path";
import process from "node:process";

const TIMEOUT_MS = 5000;

/**
 * Full path of a program that ships with Windows. A bare name would be searched first in the working folder, where an agent
 * can write.
 */
export function systemProgram(...below: readonly string[]): string {
  return win32.join(process.env.SystemRoot || "C:\\Windows", "System32", ...below);
}

/** Ends processes by force. The caller checks which of them are left. */
export function killProcesses(pids: readonly number[]): Promise<void> {
  return taskkill(pids.flatMap((pid) => ["/PID", String(pid)]));
}

/** Ends a process and every process with its pid as parent, including children of an earlier process with that pid. */
export function killTree(pid: number): Promise<void> {
  return taskkill(["/T", "/PID", String(pid)]);
}

function taskkill(words: readonly string[]): Promise<void> {
  const { execFile } = process.getBuiltinModule("node:child_process");
  const options = { windowsHide: true, timeout: TIMEOUT_MS };
  return new Promise((resolve) => {
    try {
      // Its exit code only says that one of them was already gone.
      execFile(systemProgram("taskkill.exe"), ["/F", ...words], options, () => resolve());
    } catch {
      resolve(); // Bun throws some start errors instead of passing them on
    }
  });
}
