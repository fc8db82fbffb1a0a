import { existsSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { RalphError } from "../../core/errors.ts";
import { BEAT_MS, type Lock, takeLock } from "../journal/lock.ts";
import { startTimeOf } from "../process-tree/process-tree.ts";
import { prepareWorktrees, recordFile } from "./record.ts";

/** One ralph at a time makes or removes a worktree. @throws RalphError `environment` if another does */
export function mustLockName(owner: string, name: string): () => void {
  const lock = lockName(owner, name);
  if (lock.held) return lock.release;
  const who = lock.by === null ? "" : ` (pid ${lock.by.pid})`;
  throw new RalphError("environment", `Another ralph${who} is making or removing the worktree ${name} just now.`, {
    hint: "Wait for it, or take another name.",
  });
}

/** The same as a value. */
export function lockName(owner: string, name: string): Lock | { held: true; release(): void } {
  const me = { pid: process.pid, startTime: startTimeOf(process.pid), run: `worktree ${name}` };
  for (let tries = 3; ; tries -= 1) {
    try {
      prepareWorktrees(owner);
      const lock = takeLock(recordFile(owner, name, "lock"), me);
      if (!lock.held) return lock;
      const timer = setInterval(lock.beat, BEAT_MS).unref();
      return {
        held: true,
        release() {
          clearInterval(timer);
          lock.release();
        },
      };
    } catch (error) {
      // Another ralph may just have removed the last worktree, and the folder with it.
      if (tries === 1 || existsSync(dirname(recordFile(owner, name)))) throw error;
    }
  }
}
