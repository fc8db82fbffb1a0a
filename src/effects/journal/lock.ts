import {
  closeSync,
  existsSync,
  fstatSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { RalphError } from "../../core/errors.ts";
import { codeOf, reasonOf, writeHint } from "../../core/system-error.ts";
import { renameOver } from "../files/atomic-write.ts";
import { diskFull } from "../files/disk-full.ts";
import { PRIVATE_FILE } from "../files/private.ts";
import { openRegular, readKernelText, readRegularText } from "../files/regular-file.ts";
import { beganAfter } from "../process-tree/process-table-windows.ts";
import { isAlive } from "../process-tree/process-tree.ts";
import { readOptional } from "../project/project-paths.ts";
import { waitSync } from "../wait-sync.ts";

/** The process that holds a lock. */
export type LockHolder = {
  pid: number;
  /** Kernel start time of the process; null if unknown. */
  startTime: string | null;
  run: string;
  host: string;
  /** Where its pid means something, besides the host: boot and PID namespace on Linux. Undefined in locks of earlier versions. */
  place: string | undefined;
  /** ISO time. */
  since: string;
};

/** A lock that this process holds. */
export type HeldLock = {
  held: true;
  release(): void;
  /** Says that the holder lives, and whether it still holds the lock; call it every `BEAT_MS`. */
  beat(): boolean;
  /** The same before the project is changed; looks at the disk only after a sleep that was long enough for a takeover. */
  isOurs(): boolean;
};

export type Lock = HeldLock | { held: false; by: LockHolder | null };

/** A holder as its lock file describes it; `isHeld` is false if its process is gone. */
export type LockState = LockHolder & { isHeld: boolean };

/** A holder touches its lock this often: whoever cannot see its process sees that. */
export const BEAT_MS = 2000;

/** How long a holder elsewhere must have been silent until its lock is taken over. */
export type Patience = {
  silentMs: number;
  /** The least time to watch it: machines and clocks may just have woken. */
  watchMs: number;
};

const PATIENCE: Patience = { silentMs: 20_000, watchMs: 3 * BEAT_MS };
const WATCH_EVERY_MS = 50;

/** Attempts when other processes take or release the lock at the same time, and the pause between them. */
const MAX_ROUNDS = 500;
const PAUSE_MS = 5;
/** An unreadable lock file of this age is corrupt: it is no longer being written. */
const CORRUPT_MS = 2000;
/** Taking over a stale lock takes a lock itself, recursively, to this depth at most. */
const MAX_DEPTH = 3;

/**
 * Takes the lock file at `path`; never waits for a living holder that it can see. Takes over the lock of a dead process. A
 * process of another host, boot or container cannot be seen: its lock is watched, and taken over once nothing touches it.
 * @returns the lock, or its holder (null: unknown, the file is unreadable)
 * @throws RalphError `environment` if the folder is not writable
 */
export function takeLock(
  path: string,
  info: { pid: number; startTime: string | null; run: string },
  patience = PATIENCE,
): Lock {
  const { pid, startTime: start_time, run } = info;
  const since = new Date().toISOString();
  const text = `${JSON.stringify({ pid, start_time, run, host: hostname(), place: placeHere(), since })}\n`;
  try {
    const lock = take(path, text, patience, MAX_DEPTH);
    if (lock.held) sweep(path);
    return lock;
  } catch (cause) {
    const unwritable = new RalphError("environment", `The lock ${path} cannot be written: ${reasonOf(cause)}`, {
      hint: writeHint(cause, "Check that its folder exists and may be written."),
      cause,
    });
    throw diskFull(path, cause) ?? unwritable;
  }
}

/** Does something under a lock, says meanwhile that its holder lives, and releases it. */
export async function underLock<T>(lock: HeldLock, action: () => Promise<T>): Promise<T> {
  const timer = setInterval(lock.beat, BEAT_MS).unref();
  try {
    return await action();
  } finally {
    clearInterval(timer);
    lock.release();
  }
}

/** The holder of the lock at `path`; null if there is none or the file is unreadable. */
export function readLock(path: string): LockState | null {
  const holder = parse(readOptional(path) ?? "");
  if (holder === null) return null;
  const isHeld = isVisible(holder)
    ? isAlive(holder.pid, holder.startTime)
    : holder.place === undefined || Math.abs(Date.now() - (beatOf(path) ?? 0)) < PATIENCE.silentMs;
  return { ...holder, isHeld };
}

/** Whether a holder's process would be seen from here. */
export function isVisible({ host, place }: LockHolder): boolean {
  return host === hostname() && (place === undefined || place === placeHere());
}

/** Most commands find no lock, and need no `node:os`. */
function hostname(): string {
  return process.getBuiltinModule("node:os").hostname();
}

/** Boot and PID namespace, which together tell one process table from every other; "" where there is one a host. */
function placeHere(): string {
  if (process.platform !== "linux") return "";
  try {
    const boot = readKernelText("/proc/sys/kernel/random/boot_id").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return ""; // no /proc
  }
}

function take(path: string, text: string, patience: Patience, depth: number): Lock {
  const lock: Lock = { held: true, release: () => release(path, text), ...createBeat(path, text, patience) };
  for (let round = 1; ; round += 1) {
    if (create(path, text)) return lock;
    const found = read(path);
    const holder = parse(found ?? "");
    if (found !== null && holder !== null && isHeld(path, found, holder, patience)) return { held: false, by: holder };
    const isStale = found !== null && (holder !== null || isOld(path));
    if (isStale && takeOver(path, text, found, patience, depth)) return lock;
    if (round === MAX_ROUNDS) return { held: false, by: holder };
    waitSync(PAUSE_MS);
  }
}

function isHeld(path: string, text: string, holder: LockHolder, patience: Patience): boolean {
  if (isVisible(holder)) return isAlive(holder.pid, holder.startTime) && !isReused(holder);
  // Earlier versions touch no lock.
  return holder.place === undefined || !fellSilent(path, text, patience);
}

/** Watches a lock: true once nothing has touched it for long enough. */
function fellSilent(path: string, text: string, { silentMs, watchMs }: Patience): boolean {
  const last = beatOf(path);
  const age = Math.max(Date.now() - (last ?? 0), 0);
  const until = performance.now() + Math.max(silentMs - age, watchMs);
  while (performance.now() < until) {
    waitSync(WATCH_EVERY_MS);
    if (beatOf(path) !== last || read(path) !== text) return false;
  }
  return true;
}

/** When a lock was last touched, in epoch ms; null if it is gone. Network file systems ask the server only at `open`. */
function beatOf(path: string): number | null {
  try {
    const fd = openRegular(path, "read");
    try {
      return fstatSync(fd).mtimeMs;
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}

/**
 * Touches the lock, and makes it again if somebody removed or spoiled it. But after a silence in which another ralph may have
 * taken the lock over, a lock that is not ours is lost even if nobody holds it now: that ralph may have ended meanwhile.
 */
function createBeat(path: string, text: string, patience: Patience): Pick<HeldLock, "beat" | "isOurs"> {
  let last = bothClocks();
  let lost = false;
  /** Whichever clock went further: one of them may stand still while the machine sleeps, the other be set back. */
  const wasSilent = () => bothClocks().some((now, index) => now - (last[index] ?? now) >= patience.watchMs);

  function keep(): boolean {
    if (read(path) !== text) {
      if (!existsSync(dirname(path))) return true;
      if (wasSilent() || readLock(path)?.isHeld === true) return false;
      return take(path, text, patience, MAX_DEPTH).held;
    }
    const now = new Date();
    utimesSync(path, now, now);
    // Whoever watched it until now has either seen that, or taken it in between.
    return !wasSilent() || read(path) === text;
  }

  function beat(): boolean {
    if (lost) return false;
    try {
      lost = !keep();
      last = bothClocks();
    } catch {
      // A disk that cannot be read or written just now: the journal tells.
    }
    return !lost;
  }

  return { beat, isOurs: () => (lost || wasSilent() ? beat() : true) };
}

function bothClocks(): number[] {
  return [Date.now(), performance.now()];
}

/**
 * Replaces a stale lock by ours. Another process may do the same between the check and the change, so this takes a lock of
 * its own, checks again, and renames that lock: a living lock is never replaced, and nothing else is ever on the disk.
 */
function takeOver(path: string, text: string, stale: string, patience: Patience, depth: number): boolean {
  if (depth === 0) return false;
  const own = `${path}.takeover`;
  const guard = take(own, text, patience, depth - 1);
  if (!guard.held) return false;
  if (read(path) === stale && read(own) === text) {
    renameOver(own, path);
    return true;
  }
  guard.release();
  return false;
}

/** Removes what killed processes left while they took the lock, temporary files of earlier versions too. */
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
  return isOld(path) || (holder !== null && isVisible(holder) && !isAlive(holder.pid, holder.startTime));
}

/** Creates the file; false if it exists. Without a temporary file it is empty for a moment, which a reader waits out. */
function create(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: "wx", mode: PRIVATE_FILE });
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    // A full disk takes the name, and not the content.
    if (readOptional(path) === "") rmSync(path, { force: true });
    throw error;
  }
  return read(path) === text;
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
    return readRegularText(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

function parse(text: string): LockHolder | null {
  try {
    const found: Record<string, unknown> | null = JSON.parse(text);
    const { pid, start_time: startTime = null, run, host, place, since } = found ?? {};
    if (!Number.isSafeInteger(pid) || typeof pid !== "number" || pid <= 0) return null;
    if (startTime !== null && typeof startTime !== "string") return null;
    if (typeof run !== "string" || typeof host !== "string" || typeof since !== "string") return null;
    if (place !== undefined && typeof place !== "string") return null;
    // Not of ralph's making: it would put lines of its own into what is told about the holder.
    if (/[\r\n]/.test(run + host + since)) return null;
    return { pid, startTime, run, host, place, since };
  } catch {
    return null;
  }
}

/** Windows reuses pids soon. Comparing start times there is too expensive for readers, so only takers do it. */
function isReused({ pid, since }: LockHolder): boolean {
  return process.platform === "win32" && beganAfter(pid, Date.parse(since));
}

function isOld(path: string): boolean {
  const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return Math.abs(age) >= CORRUPT_MS;
}
