import { execFileSync } from "node:child_process";
import process from "node:process";
import { readKernelText } from "../files/regular-file.ts";

const TIMEOUT_MS = 2000;

/**
 * Whether this process belongs to the foreground job of its terminal. A background job that reads the terminal or changes
 * its mode is stopped (SIGTTIN, SIGTTOU). True where there are no jobs: Windows, or no controlling terminal.
 */
export function isInForeground(): boolean {
  if (process.platform === "win32") return true;
  const stat = process.platform === "linux" ? ownStat() : null;
  return stat === null ? psSaysForeground() : isForegroundStat(stat);
}

function ownStat(): string | null {
  try {
    return readKernelText("/proc/self/stat");
  } catch {
    return null; // Deno shows it only with --allow-all, and some systems have no /proc: ps says the same.
  }
}

/** @param stat content of /proc/PID/stat: its 5th field is the process group, its 8th the one in front, or -1 */
export function isForegroundStat(stat: string): boolean {
  // The program's name, in parentheses, may contain anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [, , group, , , front] = fields;
  return front === "-1" || front === group;
}

function psSaysForeground(): boolean {
  const argv = ["-o", "tty=,stat=", "-p", String(process.pid)];
  try {
    const text = execFileSync("ps", argv, { timeout: TIMEOUT_MS, stdio: ["ignore", "pipe", "ignore"] }).toString(
      "utf8",
    );
    const [tty = "?", state = ""] = text.trim().split(/\s+/);
    return tty.startsWith("?") || state.includes("+");
  } catch {
    return false; // Unknown: a terminal left alone is the lesser harm.
  }
}
