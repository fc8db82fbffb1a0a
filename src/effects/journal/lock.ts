import { randomUUID } from "node:crypto";
import { existsSync, linkSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { RalphError } from "../../core/errors.ts";
import { renameOver } from "../files/atomic-write.ts";
import { diskFull } from "../files/disk-full.ts";
import { beganAfter } from "../process-tree/process-table-windows.ts";
import { isAlive } from "../process-tree/process-tree.ts";
import { readOptional } from "../project/project-paths.ts";

/** The process that holds a lock. */
export type LockHolder = {
  pid: number;
  /** Kernel start time of the process; null if unknown. */
  startTime: string | null;
  run: string;
  host: string;
  /** ISO time. */
  since: string;
};

export type Lock = { held: true; release(): void } | { held: false; by: LockHolder | null };

/** A holder as its lock file describes it; `isHeld` is false if its process is gone. */
export type LockState = LockHolder & { isHeld: boolean };

/** Attempts when other processes take or release the lock at the same time, and the pause between them. */
const MAX_ROUNDS = 100;
const PAUSE_MS = 5;
/** An unreadable lock file of this age is corrupt: it is no longer being written. */
const CORRUPT_MS = 2000;
/** Taking over a stale lock takes a lock itself, recursively, to this depth at most. */
const MAX_DEPTH = 3;

/**
 * Takes the lock file at `path`; never waits for a living holder. Takes over the lock of a dead process, but never one from
 * another host, whose processes are invisible here.
 * @returns the lock, or its holder (null: unknown, the file is unreadable)
 * @throws RalphError `environment` if the folder is not writable
 */
export function takeLock(path: string, info: { pid: number; startTime: string | null; run: string }): Lock {
  const { pid, startTime: start_time, run } = info;
  const text = `${JSON.stringify({ pid, start_time, run, host: hostname(), since: new Date().toISOString() })}\n`;
  try {
    const lock = take(path, text, MAX_DEPTH);
    if (lock.held) sweep(path);
    return lock;
  } catch (cause) {
    const unwritable = new RalphError("environment", `The lock ${path} cannot be written.`, {
      hint: "Check that its folder exists and may be written.",
      cause,
    });
    throw diskFull(path, cause) ?? unwritable;
  }
}

/** The holder of the lock at `path`; null if there is none or the file is unreadable. */
export function readLock(path: string): LockState | null {
  const holder = parse(readOptional(path) ?? "");
  return holder === null ? null : { ...holder, isHeld: isHolderAlive(holder) };
}

function take(path: string, text: string, depth: number): Lock {
  const lock: Lock = { held: true, release: () => release(path, text) };
  for (let round = 1; ; round += 1) {
    if (create(path, text)) return lock;
    const found = read(path);
    const holder = parse(found ?? "");
    if (holder !== null && isHolderAlive(holder) && !isReused(holder)) return { held: false, by: holder };
    const isStale = found !== null && (holder !== null || isOld(path));
    if (isStale && takeOver(path, text, found, depth)) return lock;
    if (round === MAX_ROUNDS) return { held: false, by: holder };
    sleep(PAUSE_MS);
  }
}

/**
 * Replaces a stale lock's text with ours. Another process may do the same between the check and the write, so this takes a
 * lock of its own and checks again: a living lock is never replaced.
 */
function takeOver(path: string, text: string, stale: string, depth: number): boolean {
  if (depth === 0) return false;
  const guard = take(`${path}.takeover`, text, depth - 1);
  if (!guard.held) return false;
  try {
    if (read(path) !== stale) return false;
    withTemporary(path, text, (temporary) => renameOver(temporary, path));
    return true;
  } catch (error) {
    if (isSwept(error, path)) return false;
    throw error;
  } finally {
    guard.release();
  }
}

/**
 * Removes what killed processes left while they took the lock. This includes temporary files of any owner: a living taker
 * tries again without its own, and finds the lock held.
 */
function sweep(path: string): void {
  const folder = dirname(path);
  try {
    for (const name of readdirSync(folder)) {
      if (!name.startsWith(`${basename(path)}.`)) continue;
      const leftover = join(folder, name);
      if (name.endsWith(".tmp") || (name.endsWith(".takeover") && isAbandoned(leftover)))
        rmSync(leftover, { force: true });
    }
  } catch {
    // The lock is taken; leftovers do no harm.
  }
}

function isAbandoned(path: string): boolean {
  const holder = parse(read(path) ?? "");
  return isOld(path) || (holder !== null && !isHolderAlive(holder));
}

/** Whether a step failed because the lock's holder removed our temporary file. */
function isSwept(error: unknown, path: string): boolean {
  return errorCode(error) === "ENOENT" && existsSync(dirname(path));
}

/**
 * Creates the file together with its content, or not at all; false if it exists, or its holder removed our temporary file.
 */
function create(path: string, text: string): boolean {
  try {
    withTemporary(path, text, (temporary) => linkSync(temporary, path));
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    if (isSwept(error, path)) return false;
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(errorCode(error))) throw error;
  }
  return createInPlace(path, text);
}

/** For file systems without hard links (exFAT, some network mounts); there the file is empty for a moment. */
function createInPlace(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: "wx" });
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
  return read(path) === text;
}

function withTemporary(path: string, text: string, action: (temporary: string) => void): void {
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    writeFileSync(temporary, text, { flag: "wx" });
    action(temporary);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/**
 * Removes the lock if it is still ours: the project's folder may have been replaced. A lock that cannot be removed stays: its
 * holder is gone, and this error must not hide the reason the run ended.
 */
function release(path: string, text: string): void {
  try {
    if (read(path) === text) rmSync(path, { force: true });
  } catch {
    // The folder may have become read-only: the next start reports that.
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

function parse(text: string): LockHolder | null {
  try {
    const found: Record<string, unknown> | null = JSON.parse(text);
    const { pid, start_time: startTime = null, run, host, since } = found ?? {};
    if (!Number.isSafeInteger(pid) || typeof pid !== "number" || pid <= 0) return null;
    if (startTime !== null && typeof startTime !== "string") return null;
    if (typeof run !== "string" || typeof host !== "string" || typeof since !== "string") return null;
    return { pid, startTime, run, host, since };
  } catch {
    return null;
  }
}

function isHolderAlive(holder: LockHolder): boolean {
  return holder.host !== hostname() || isAlive(holder.pid, holder.startTime);
}

/** Windows reuses pids soon. Comparing start times there is too expensive for readers, so only takers do it. */
function isReused({ pid, host, since }: LockHolder): boolean {
  return process.platform === "win32" && host === hostname() && beganAfter(pid, Date.parse(since));
}

function isOld(path: string): boolean {
  const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return Math.abs(age) >= CORRUPT_MS;
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
