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

/** Who holds a lock. */
export type LockHolder = {
  pid: number;
  /** Kernel start time of the process; null where unknown. */
  startTime: string | null;
  run: string;
  host: string;
  /** ISO time. */
  since: string;
};

export type Lock = { held: true; release(): void } | { held: false; by: LockHolder | null };

/** A holder's claims, with what is known of them: `isHeld` false means that its process is gone. */
export type LockState = LockHolder & { isHeld: boolean };

/** Rounds of trying, when others take or release the lock at the same moment, and the pause between them. */
const ROUNDS = 100;
const PAUSE_MS = 5;
/** What is of this age and unreadable is not just being written. */
const CORRUPT_MS = 2000;
/** Takers of a stale lock hold a lock on taking it over, and so on: no deeper than this. */
const DEPTH = 3;

/**
 * Takes the lock file at `path`, never waiting for a living holder. A lock whose process is gone is taken over; one of
 * another host never is, since its processes can't be seen from here.
 * @returns the lock, or who holds it (null: unknown, the file can't be read)
 * @throws RalphError `environment` if the folder can't be written
 */
export function takeLock(path: string, info: { pid: number; startTime: string | null; run: string }): Lock {
  const { pid, startTime: start_time, run } = info;
  const text = `${JSON.stringify({ pid, start_time, run, host: hostname(), since: new Date().toISOString() })}\n`;
  try {
    const lock = take(path, text, DEPTH);
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

/** Who holds the lock at `path`; null if nobody does or the file can't be read. */
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
    if (round === ROUNDS) return { held: false, by: holder };
    sleep(PAUSE_MS);
  }
}

/**
 * Puts our text in the place of a stale one. Between looking and replacing another taker could have done the same, so
 * this is done under a lock of its own, after a second look: no living lock is ever replaced.
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
 * Takes away what takers left that were killed while they took it. Temporary files go whoever made them: a taker that lives
 * tries again without its own, and finds the lock held.
 */
function sweep(path: string): void {
  const folder = dirname(path);
  try {
    for (const name of readdirSync(folder)) {
      if (!name.startsWith(`${basename(path)}.`)) continue;
      const left = join(folder, name);
      if (name.endsWith(".tmp") || (name.endsWith(".takeover") && isAbandoned(left))) rmSync(left, { force: true });
    }
  } catch {
    // What stays is in nobody's way, and the lock is taken.
  }
}

function isAbandoned(path: string): boolean {
  const holder = parse(read(path) ?? "");
  return isOld(path) || (holder !== null && !isHolderAlive(holder));
}

/** Whether a step failed since the lock's holder swept our temporary file away. */
function isSwept(error: unknown, path: string): boolean {
  return errorCode(error) === "ENOENT" && existsSync(dirname(path));
}

/** Creates the file together with its content, or not at all; false if it exists, or its holder swept ours away. */
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

/** For file systems without hard links (exFAT, some network mounts): there the file is empty for a moment. */
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
 * Removes the lock if it is still ours: the project's folder may have been replaced meanwhile. One that can't be removed is
 * left, since its holder is gone for all to see; what ended the run is not to be covered up by it.
 */
function release(path: string, text: string): void {
  try {
    if (read(path) === text) rmSync(path, { force: true });
  } catch {
    // The folder may no longer be written: the next start says so.
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

/** Windows gives pids anew soon, and tells no start time but by a look that is too dear for readers: takers make it. */
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
