import { join } from "node:path";
import process from "node:process";
import ignored from "../../../templates/gitignore.txt" with { type: "text" };
import { RalphError } from "../../core/errors.ts";
import { type LockHolder, takeLock } from "../../effects/journal/lock.ts";
import { startTimeOf } from "../../effects/process-tree/process-tree.ts";
import { prepareRalphDir } from "../../effects/project/project-paths.ts";

/**
 * Does something that changes the project's state while nobody else can.
 * @param run the run that the lock is for, shown to whoever finds it taken
 * @throws RalphError `environment` if another ralph holds the lock
 */
export async function withProjectLock<T>(ralphDir: string, run: string, action: () => Promise<T>): Promise<T> {
  prepareRalphDir(ralphDir, ignored);
  const lock = takeLock(join(ralphDir, "lock"), { pid: process.pid, startTime: startTimeOf(process.pid), run });
  if (!lock.held) throw lockedBy(lock.by);
  try {
    return await action();
  } finally {
    lock.release();
  }
}

function lockedBy(holder: LockHolder | null): RalphError {
  const who =
    holder === null ? "Another ralph" : `Another ralph (pid ${holder.pid}, run ${holder.run}, since ${holder.since})`;
  return new RalphError("environment", `${who} is running in this project.`, {
    hint: "Look at it with `ralph status`, or stop it first.",
  });
}
