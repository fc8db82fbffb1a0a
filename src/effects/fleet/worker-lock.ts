/** The lock of a worker: it goes beyond its run, from before the claim until what it did is handed in. */
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { RalphError } from "../../core/errors.ts";
import { PRIVATE_FOLDER } from "../files/private.ts";
import { readLock, takeLock, underLock } from "../journal/lock.ts";
import { startTimeOf } from "../process-tree/process-tree.ts";
import { RALPH_DIR } from "../project/project-paths.ts";
import { dropLink } from "../state-files/log-files.ts";

const pathIn = (project: string) => join(project, RALPH_DIR, "logs", "worker.lock");

/**
 * One worker at a time in a folder: a second one would take the claims of the first for its own, left by a crash.
 * @throws RalphError `environment` if another works there
 */
export async function asOnlyWorker<T>(project: string, work: () => Promise<T>): Promise<T> {
  const path = pathIn(project);
  dropLink(dirname(path));
  mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
  const lock = takeLock(path, { pid: process.pid, startTime: startTimeOf(process.pid), run: "worker" });
  if (!lock.held)
    throw new RalphError(
      "environment",
      `Another worker${lock.by === null ? "" : ` (pid ${lock.by.pid})`} works here.`,
      {
        hint: "Give this one a clone or worktree of its own, or wait for the other.",
      },
    );
  return underLock(lock, work);
}

export function isWorkerThere(project: string): boolean {
  return readLock(pathIn(project))?.isHeld === true;
}
