import process from "node:process";
import { codeOf } from "../../core/system-error.ts";
import { kernelMarkLine } from "./kernel-mark.ts";
import { isNotOlder, isSameStart, type ProcessInfo } from "./process-info.ts";
import { forksLinux, hasEnvironment, hasLimit, listLinux, listLinuxSince, readLinux } from "./process-table-linux.ts";
import { listPs, readPs } from "./process-table-ps.ts";
import { listWindows } from "./process-table-windows.ts";

/**
 * All living processes, without zombies. Empty if the table cannot be read.
 * @param of list only processes that can belong to this tree: pids that cannot are not read
 */
export async function listProcesses(of?: Pick<ProcessTree, "pid" | "forks">): Promise<ProcessInfo[]> {
  const all =
    process.platform === "linux"
      ? of === undefined
        ? listLinux()
        : listLinuxSince(of.pid, of.forks ?? null)
      : await (process.platform === "win32" ? listWindows() : listPs());
  return all.filter((info) => !info.isZombie);
}

/** The number of processes that the system has started, for `ProcessTree.forks`; null if it keeps no count. */
export function forkCount(): number | null {
  return process.platform === "linux" ? forksLinux() : null;
}

/** The process group that ralph itself is in; 0 where only the kernel of Linux would say it. */
export function ownGroup(): number {
  return process.platform === "linux" ? (readLinux(process.pid)?.group ?? 0) : 0;
}

/** When the kernel started a process, to detect a reused pid; null if it is gone, and on Windows. */
export function startTimeOf(pid: number): string | null {
  return readProcess(pid)?.startTime ?? null;
}

/**
 * Whether exactly this process is alive; a zombie is not.
 * @param startTime from `startTimeOf`; null accepts any process with that pid
 */
export function isAlive(pid: number, startTime: string | null): boolean {
  // Without /proc, reading the process table is expensive; a signal is cheap.
  const needsTable = process.platform === "linux" || (process.platform !== "win32" && startTime !== null);
  if (!needsTable) return takesSignals(pid);
  const found = readProcess(pid);
  // A table that cannot be read (macOS lets no sandboxed program run `ps`) tells of nobody's death.
  if (found === null) return takesSignals(pid);
  return !found.isZombie && (startTime === null || isSameStart(found.startTime, startTime));
}

function readProcess(pid: number): ProcessInfo | null {
  if (process.platform === "win32") return null;
  return process.platform === "linux" ? readLinux(pid) : readPs(pid);
}

/** Whether a process carries RALPH_RUN=marker or the mark that belongs to it; never true where the platform shows neither. */
export function hasMarker(pid: number, marker: string): boolean {
  if (process.platform !== "linux" || marker === "") return false;
  return hasLimit(pid, kernelMarkLine(marker)) || hasEnvironment(pid, `RALPH_RUN=${marker}`);
}

/** All descendants of `roots` (pids that may be gone), without the roots. */
export function findDescendants(table: readonly ProcessInfo[], roots: Iterable<number>): ProcessInfo[] {
  const children = Map.groupBy(table, (info) => info.parent);
  const seen = new Set(roots);
  const found: ProcessInfo[] = [];
  // Iterating over a set also visits what is added meanwhile.
  for (const pid of seen) {
    for (const child of children.get(pid) ?? []) {
      if (seen.has(child.pid)) continue;
      seen.add(child.pid);
      found.push(child);
    }
  }
  return found;
}

export type ProcessTree = {
  /** Of the root, alive or not; 0: no root, only the marker counts. */
  pid: number;
  group: number;
  /** Of the root; null: unknown. */
  startTime: string | null;
  /** Value of RALPH_RUN in the root's environment. */
  marker: string;
  /** `forkCount` before the root was started; absent or null: unknown. */
  forks?: number | null;
  /** Whether we still hold the root's process handle: Windows does not reuse its pid then, whatever the start time. */
  isOurs?(): boolean;
};

/**
 * The living processes of a tree: its root, descendants, process group, marker carriers, and their descendants. Ralph, its
 * ancestors and processes older than the root never belong to it.
 * @param known processes found in the tree earlier: they still belong to it, whatever their parent is now
 */
export function findMembers(
  table: readonly ProcessInfo[],
  tree: ProcessTree,
  known: readonly ProcessInfo[] = [],
  carries: (pid: number, marker: string) => boolean = hasMarker,
): ProcessInfo[] {
  const { pid, group, startTime, marker } = tree;
  const spared = ancestorsOf(table, process.pid);
  const young = table.filter(
    (info) => !spared.has(info.pid) && (startTime === null || isNotOlder(info.startTime, startTime)),
  );
  const isReused =
    tree.isOurs?.() !== true &&
    startTime !== null &&
    table.some((info) => info.pid === pid && !isSameStart(info.startTime, startTime));
  // Pids 0 and 1 are the ancestors of every process.
  const isRooted = pid > 1 && !isReused;
  const isNamed = (info: ProcessInfo) => isRooted && (info.pid === pid || (group > 1 && info.group === group));
  const isKnown = (info: ProcessInfo) =>
    known.some((one) => one.pid === info.pid && isSameStart(one.startTime, info.startTime));

  const near = young.filter((info) => isNamed(info) || isKnown(info));
  const marked = young.filter((info) => !near.includes(info) && carries(info.pid, marker));
  const roots = [...near, ...marked];
  // Windows keeps the dead parent's pid in its children.
  const parents = [...roots, ...known].map((info) => info.pid);
  const below = findDescendants(young, [...(isRooted ? [pid] : []), ...parents]);
  return [...new Set([...roots, ...below])];
}

/** The pids from `pid` up to the first process. */
function ancestorsOf(table: readonly ProcessInfo[], pid: number): Set<number> {
  const byPid = new Map(table.map((info) => [info.pid, info]));
  const found = new Set([pid]);
  let child = byPid.get(pid);
  while (child !== undefined) {
    const parent = byPid.get(child.parent);
    // Windows may name a dead parent whose pid a younger process has by now.
    if (parent === undefined || found.has(parent.pid) || !isNotOlder(child.startTime, parent.startTime)) break;
    found.add(parent.pid);
    child = parent;
  }
  return found;
}

function takesSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user refuses the signal, but exists.
    return codeOf(error) === "EPERM";
  }
}
