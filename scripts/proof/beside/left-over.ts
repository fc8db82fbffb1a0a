/** What one loop started: found by a mark in its environment, and ended. Linux alone tells. */
import { readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";

export type What = "loop" | "agent" | "its command" | "its server";
type Found = { pid: number; what: What };

/** @param folder of one loop */
export function markOf(folder: string): Record<string, string> {
  return { RALPH_PROOF_OF: folder };
}

/** Everything that has the mark of this loop in its environment. */
export function processesOf(folder: string): Found[] {
  if (process.platform !== "linux") return [];
  const mark = `RALPH_PROOF_OF=${folder}\0`;
  return readdirSync("/proc").flatMap((name): Found[] => {
    if (!/^\d+$/.test(name) || !`${read(name, "environ")}\0`.includes(mark)) return [];
    const words = read(name, "cmdline");
    return [{ pid: Number(name), what: whatIs(words) }];
  });
}

function whatIs(words: string): What {
  if (words.includes("900.1")) return "its command";
  if (words.includes("900.2")) return "its server";
  return words.includes("stand-in.ts") ? "agent" : "loop";
}

/** "" for what is gone, and for a process that nobody has waited for. */
function read(pid: string, name: "environ" | "cmdline"): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}

/** Ends everything that has the mark of this loop. */
export function endAll(folder: string): void {
  for (const { pid } of processesOf(folder)) signal(pid, "SIGKILL");
}

/** Sends a signal to a process, or with a minus to a group, which may be gone by then. */
export function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

/**
 * Cleans up if the comparison itself is ended: what it started has groups of its own, which no key of its terminal reaches.
 * @returns no longer does
 */
export function onInterrupt(cleanUp: () => void): () => void {
  const releases = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((name) => {
    const handle = () => {
      cleanUp();
      // Two loops run at a time: the other one cleans up, too.
      setImmediate(() => process.exit(128 + constants.signals[name]));
    };
    process.on(name, handle);
    return () => process.off(name, handle);
  });
  return () => {
    for (const release of releases) release();
  };
}
