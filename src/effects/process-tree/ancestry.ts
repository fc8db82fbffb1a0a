import { statSync } from "node:fs";
import process from "node:process";
import type { Agents } from "../ports.ts";
import { isNotOlder, type ProcessInfo } from "./process-info.ts";
import { readLinux, readOr } from "./process-table-linux.ts";
import { hasMarker, listProcesses } from "./process-tree.ts";

/** Stops a loop in a broken table: no real tree is this deep. */
const MAX_DEPTH = 100;

/**
 * Whether an ancestor carries one of these values of RALPH_RUN: then an agent started this process, even if its own
 * environment lacks the variable. Works on Linux only; false elsewhere.
 */
export function isDescendantOfAgent(markers: readonly string[]): boolean {
  if (process.platform !== "linux") return false;
  return chainOf(process.ppid, readLinux).some(({ pid }) => markers.some((marker) => hasMarker(pid, marker)));
}

/**
 * Why a process may be an agent's; null if it is not. Linux: an agent's marker or group among its ancestors, or nobody of them
 * to be seen who is older than the run. Elsewhere: an agent's group among its ancestors (macOS), or an agent (Windows).
 * @param agents of the run that this process is
 */
export async function kinship(pid: number, { markers, groups }: Agents): Promise<string | null> {
  const isLinux = process.platform === "linux";
  const table = isLinux ? [] : await listProcesses();
  const find = isLinux ? readLinux : (wanted: number) => table.find((info) => info.pid === wanted) ?? null;
  const chain = chainOf(pid, find);
  if (chain.length === 0) return "it is gone";
  const isAgents = (info: ProcessInfo) =>
    groups.includes(process.platform === "win32" ? info.pid : info.group) ||
    markers.some((marker) => hasMarker(info.pid, marker));
  if (chain.some(isAgents)) return "it belongs to the agent";
  return isLinux && isFoundling(chain) ? "it began after the run, and whoever started it is gone" : null;
}

/**
 * Whether the oldest ancestor that is younger than this process was left to the first process, as a daemon of an agent is. One
 * in another control group was started by the system, as in a new login, and so was one of another user.
 */
function isFoundling(chain: readonly ProcessInfo[]): boolean {
  const own = readLinux(process.pid);
  const young = chain.findLast((info) => own === null || isNotOlder(info.startTime, own.startTime));
  if (young === undefined || young.pid === process.pid || !collectsOrphans(young.parent)) return false;
  return (
    statSync(`/proc/${young.pid}`, { throwIfNoEntry: false })?.uid === process.getuid?.() &&
    readOr(`/proc/${young.pid}/cgroup`) === readOr("/proc/self/cgroup")
  );
}

/** Nothing tells which processes adopt orphans; systemd's manager of a user does. */
function collectsOrphans(pid: number): boolean {
  return pid === 1 || readOr(`/proc/${pid}/comm`).trim() === "systemd";
}

/** A process and its ancestors, as far as they can be seen. */
function chainOf(from: number, find: (pid: number) => ProcessInfo | null): ProcessInfo[] {
  const chain: ProcessInfo[] = [];
  for (let pid = from; pid > 1 && chain.length < MAX_DEPTH; ) {
    const info = find(pid);
    if (info === null) break;
    chain.push(info);
    pid = info.parent;
  }
  return chain;
}
