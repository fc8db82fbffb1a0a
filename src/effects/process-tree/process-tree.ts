import process from "node:process";
import { isNotOlder, isSameStart, type ProcessInfo } from "./process-info.ts";
import { forksLinux, hasEnvironment, listLinux, lowestYounger, readLinux } from "./process-table-linux.ts";
import { listPs, readPs } from "./process-table-ps.ts";
import { listWindows } from "./process-table-windows.ts";

/**
 * All living processes; the dead that wait to be reaped (zombies) are none. Empty where the table can't be read.
 * @param of only those that can belong to this tree are wanted: where that is told from the pids, the others are not read
 */
export async function listProcesses(of?: Pick<ProcessTree, "pid" | "forks">): Promise<ProcessInfo[]> {
  const all =
    process.platform === "linux"
      ? listLinux(of === undefined ? 0 : lowestYounger(of.pid, of.forks ?? null))
      : await (process.platform === "win32" ? listWindows() : listPs());
  return all.filter((info) => !info.isZombie);
}

/** The system's count of started processes, for `Tree.forks`; null where it has none. */
export function forkCount(): number | null {
  return process.platform === "linux" ? forksLinux() : null;
}

/** When the kernel started a process, so that a reused pid is not mistaken for it; null if it is gone, and on Windows. */
export function startTimeOf(pid: number): string | null {
  return readProcess(pid)?.startTime ?? null;
}

/**
 * Whether this very process lives; zombies don't.
 * @param startTime as `startTimeOf` gave it; null: any process of that pid will do
 */
export function isAlive(pid: number, startTime: string | null): boolean {
  // Asking the system for its table is dear where /proc is missing, a signal is not.
  const needsTable = process.platform === "linux" || (process.platform !== "win32" && startTime !== null);
  if (!needsTable) return takesSignals(pid);
  const found = readProcess(pid);
  return found !== null && !found.isZombie && (startTime === null || isSameStart(found.startTime, startTime));
}

function readProcess(pid: number): ProcessInfo | null {
  if (process.platform === "win32") return null;
  return process.platform === "linux" ? readLinux(pid) : readPs(pid);
}

/** Whether a process carries RALPH_RUN=marker; never true where the platform hides environments. */
export function hasMarker(pid: number, marker: string): boolean {
  return process.platform === "linux" && marker !== "" && hasEnvironment(pid, `RALPH_RUN=${marker}`);
}

/** All that descends from `roots` (pids that may be gone themselves), without them. */
export function findDescendants(table: readonly ProcessInfo[], roots: Iterable<number>): ProcessInfo[] {
  const children = Map.groupBy(table, (info) => info.parent);
  const seen = new Set(roots);
  const found: ProcessInfo[] = [];
  // A set is iterated in order, with what is added on the way.
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
  /** Of the root, alive or not; 0: there is none, only the marker counts. */
  pid: number;
  group: number;
  /** Of the root; null: unknown. */
  startTime: string | null;
  /** Value of RALPH_RUN in the root's environment. */
  marker: string;
  /** `forkCount` before the root was started; absent or null: unknown. */
  forks?: number | null;
  /** Whether the root is a child that we still hold, whose pid Windows gives to nobody else, whatever its start time. */
  isOurs?(): boolean;
};

/**
 * What lives of a tree: its root, descendants, process group, what carries its marker, and the descendants of all these.
 * Ralph itself and its ancestors never belong to it, nor does anything that is older than the root.
 * @param known processes that were found in the tree before: they belong to it wherever they hang now
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
  // 0 and 1 are the parents of everything.
  const isRooted = pid > 1 && !isReused;
  const isNamed = (info: ProcessInfo) => isRooted && (info.pid === pid || (group > 1 && info.group === group));
  const isKnown = (info: ProcessInfo) =>
    known.some((one) => one.pid === info.pid && isSameStart(one.startTime, info.startTime));

  const near = young.filter((info) => isNamed(info) || isKnown(info));
  const marked = young.filter((info) => !near.includes(info) && carries(info.pid, marker));
  const roots = [...near, ...marked];
  // Windows leaves the children of the dead to their parents.
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
    // Windows names a parent that is gone, whose number a younger process may have by now.
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
    // Somebody else's process refuses, but it is there.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
