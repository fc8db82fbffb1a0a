import process from "node:process";
import { nap } from "../clock.ts";
import type { ProcessInfo } from "./process-info.ts";
import { findMembers, isAlive, listProcesses, type ProcessTree } from "./process-tree.ts";
import { killProcesses, killTree } from "./windows-system.ts";

/** How long the kernel may take to end a process after KILL. */
const KILL_MS = 1000;
/** Rounds of KILL: a process started during one round is found in the next. */
const KILL_ROUNDS = 5;

/**
 * Ends a tree of processes: TERM, `graceMs`, KILL; includes processes that start meanwhile or left the group. Reads the
 * process table only once if nothing is left of the tree (product.md "Signals and processes").
 * @param graceMs ms between TERM and KILL
 * @param known processes seen in the tree while it was alive
 * @returns the pids of the ended processes
 */
export async function endProcesses(
  tree: ProcessTree & { graceMs: number },
  known: readonly ProcessInfo[] = [],
): Promise<number[]> {
  const table = await listProcesses(tree);
  // Windows could not list its processes (no PowerShell, or a timeout).
  if (table.length === 0 && tree.isOurs?.() === true) await killTree(tree.pid);
  let living = findMembers(table, tree, known);
  if (living.length === 0) return [];
  const seen = new Map<number, ProcessInfo>();
  const look = async () => {
    for (const info of living) seen.set(info.pid, info);
    living = findMembers(await listProcesses(tree), tree, [...known, ...seen.values()]);
  };

  if (process.platform !== "win32") {
    signalAll(tree.group, living, "SIGTERM");
    await untilGone(living, tree.graceMs);
    await look();
  }
  for (let round = 0; round < KILL_ROUNDS && living.length > 0; round += 1) {
    await kill(tree.group, living);
    await untilGone(living, KILL_MS);
    await look();
  }
  const left = new Set(living.map((info) => info.pid));
  return [...seen.keys()].filter((pid) => !left.has(pid)).sort((a, b) => a - b);
}

async function kill(group: number, living: readonly ProcessInfo[]): Promise<void> {
  if (process.platform !== "win32") return signalAll(group, living, "SIGKILL");
  await killProcesses(living.map((info) => info.pid));
}

/** Signals the group first, in one call: no member can start another process between two signals. */
function signalAll(group: number, living: readonly ProcessInfo[], signal: NodeJS.Signals): void {
  if (group > 1 && living.some((info) => info.group === group)) send(-group, signal);
  for (const info of living) if (info.group !== group) send(info.pid, signal);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has exited or belongs to another user: the next look shows which.
  }
}

async function untilGone(living: readonly ProcessInfo[], ms: number): Promise<void> {
  const deadline = performance.now() + ms;
  let left = living;
  for (let pause = 2; performance.now() < deadline; pause = Math.min(pause * 2, 50)) {
    left = left.filter((info) => isAlive(info.pid, process.platform === "linux" ? info.startTime : null));
    if (left.length === 0) return;
    await nap(Math.min(pause, Math.max(deadline - performance.now(), 0)));
  }
}
