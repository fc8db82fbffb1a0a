import { describeIndexLock, isLeftLock, removesLock } from "../../core/publish/index-lock.ts";
import type { Run } from "../run.ts";

/**
 * Tells a person of a lock file that a killed git left, once, and when it is gone. Call it while no agent is at work.
 * @param isEnd nobody looks again: told however young it is
 */
export function noteIndexLock({ world, state, append, settings }: Run, isEnd: boolean): void {
  // The commit that fails tells it.
  if (settings.COMMIT || world.project.isGone()) return;
  const lock = world.workspace.indexLock();
  const isKnown = state().publish.failed.index !== undefined;
  if (lock === null && isKnown)
    append({ type: "git_step", step: "index", result: "done", text: "The lock file of git is gone." });
  if (lock === null || isKnown || !(isEnd || isLeftLock(lock, world.clock.now()))) return;
  const text = describeIndexLock(lock.path);
  append({ type: "git_step", step: "index", result: "failed", text, command: removesLock(lock.path) });
}
