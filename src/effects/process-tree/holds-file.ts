import { execFile } from "node:child_process";
import { readdirSync, readlinkSync } from "node:fs";
import process from "node:process";

const TIMEOUT_MS = 5000;

/**
 * Whether a process of this user has a file open; null where the system does not tell (Windows). Nobody can make another
 * process open a file, so this proves who somebody is.
 * @param path absolute, links resolved, its name not to be guessed
 */
export function holdsFile(pid: number, path: string): Promise<boolean | null> {
  if (process.platform === "win32") return Promise.resolve(null);
  if (process.platform === "linux") return Promise.resolve(opened(pid).includes(path));
  return new Promise((resolve) => {
    execFile("lsof", ["-a", "-p", String(pid), "-Fn"], { timeout: TIMEOUT_MS }, (_, stdout) =>
      resolve(stdout.split("\n").includes(`n${path}`)),
    );
  });
}

function opened(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => target(`/proc/${pid}/fd/${fd}`));
  } catch {
    return []; // gone, or of another user
  }
}

function target(link: string): string[] {
  try {
    return [readlinkSync(link)];
  } catch {
    return []; // closed meanwhile
  }
}
