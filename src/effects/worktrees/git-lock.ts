import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { takeLock, underLock } from "../journal/lock.ts";
import { startTimeOf } from "../process-tree/process-tree.ts";

const LOOK_MS = 20;

/**
 * Lets one ralph at a time add or remove a worktree of a repository, or move what one has checked out, in whichever of its projects: git
 * itself fails where two do ("failed to read .git/worktrees/x/commondir", seen with 2.39).
 * @param signal ends the wait
 */
export async function withGitLock<T>(commonDir: string, signal: AbortSignal, action: () => Promise<T>): Promise<T> {
  const me = { pid: process.pid, startTime: startTimeOf(process.pid), run: "worktrees" };
  for (;;) {
    signal.throwIfAborted();
    const lock = takeLock(join(commonDir, "ralph-worktrees.lock"), me);
    if (lock.held) return underLock(lock, action);
    await sleep(LOOK_MS);
  }
}
