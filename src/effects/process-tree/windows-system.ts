import { execFile } from "node:child_process";
import { win32 } from "node:path";
import process from "node:process";

const TIMEOUT_MS = 5000;

/**
 * Full path of a program that comes with Windows. By its bare name it would be looked for in the working folder first,
 * which an agent writes to.
 */
export function systemProgram(...below: readonly string[]): string {
  return win32.join(process.env.SystemRoot || "C:\\Windows", "System32", ...below);
}

/** Ends processes without asking them. Who is still there afterwards is to be looked up. */
export function killProcesses(pids: readonly number[]): Promise<void> {
  return taskkill(pids.flatMap((pid) => ["/PID", String(pid)]));
}

/** Ends a process and all whose parent has its number: also what the one before left that had the same number. */
export function killTree(pid: number): Promise<void> {
  return taskkill(["/T", "/PID", String(pid)]);
}

function taskkill(words: readonly string[]): Promise<void> {
  const options = { windowsHide: true, timeout: TIMEOUT_MS };
  return new Promise((resolve) => {
    try {
      // Its exit code says no more than that one of them was gone already.
      execFile(systemProgram("taskkill.exe"), ["/F", ...words], options, () => resolve());
    } catch {
      resolve(); // Bun throws some of the reasons why a program does not start
    }
  });
}
