import process from "node:process";
import { nap } from "../clock.ts";
import type { ProcessInfo } from "./process-info.ts";
import { findMembers, isAlive, listProcesses, type ProcessTree } from "./process-tree.ts";
import { killProcesses, killTree } from "./windows-system.ts";

/** How long the kernel may take to end what got KILL. */
const KILL_MS = 1000;
/** Rounds of KILL: what is started while the others are being ended is found in the next one. */
const KILL_ROUNDS = 5;

/**
 * Ends a tree of processes: TERM, `graceMs`, KILL; what appears meanwhile, or left the group, is swept as well.
 * Costs one look at the process table when nothing is left of it (product.md, "Signals and processes").
 * @param graceMs ms in which TERM may do its work
 * @param known processes that were seen in the tree while it lived
 * @returns the pids that were ended
 */
export async function endProcesses(
  tree: ProcessTree & { graceMs: number },
  known: readonly ProcessInfo[] = [],
): Promise<number[]> {
  const table = await listProcesses(tree);
  // A Windows that does not tell its processes (no PowerShell, or not in time).
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

/** The group first, in one call, so that none of it can start another between two signals. */
function signalAll(group: number, living: readonly ProcessInfo[], signal: NodeJS.Signals): void {
  if (group > 1 && living.some((info) => info.group === group)) send(-group, signal);
  for (const info of living) if (info.group !== group) send(info.pid, signal);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself, or belongs to somebody else: the next look tells.
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
