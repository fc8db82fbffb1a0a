import { dirname, join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { RalphError } from "../../core/errors.ts";
import { projectTitle } from "../../core/project-name.ts";
import { typedWord } from "../../core/text/shell-words.ts";
import { readLock } from "../../effects/journal/lock.ts";
import { type DetachedProcess, spawnDetached } from "../../effects/process/spawn-detached.ts";
import { ownerOf } from "../../effects/worktrees/worktrees.ts";
import type { CommandContext } from "../context.ts";

/** Flags for this process, not for the one in the background. */
const OURS: ReadonlySet<string> = new Set(["--detach", "-m", "--monitor"]);
const LOOK_MS = 20;
const STARTS_WITHIN_MS = 30_000;
/** An agent that cannot work usually fails within this time, while the user is still looking. */
const STAYS_MS = 1000;

/**
 * `ralph run --detach`: the same run in the background. Waits until it is under way, passes on its output so far, and
 * says how to watch it.
 * @param words the command line of this process
 * @param staysMs how long the run has to stay alive before this process leaves it; one that has not begun within `startsWithinMs` is ended
 * @returns 0, or the exit code of a run that ended sooner
 * @throws RalphError `environment` if it cannot be started, does not come up, or is killed
 */
export async function runDetached(
  context: Pick<CommandContext, "self" | "env" | "stdout" | "stderr" | "log"> & { args: { quiet: boolean } },
  ralphDir: string,
  words: readonly string[],
  { staysMs = STAYS_MS, startsWithinMs = STARTS_WITHIN_MS }: { staysMs?: number; startsWithinMs?: number } = {},
): Promise<number> {
  const logFile = join(ralphDir, "logs", "detached.log");
  const argv = [...context.self, "--quiet", ...forwardedArgs(words)];
  const child = spawnDetached(argv, { cwd: process.cwd(), env: context.env, logFile });
  const outcome = await Promise.race([child.exited, waitForRun(child, ralphDir, { staysMs, startsWithinMs })]);
  // Whoever is told that it did not come up starts another.
  if ("run" in outcome && outcome.run === null) child.end();
  child.release();
  context.stderr(child.output());
  if ("code" in outcome) {
    if (outcome.code === null) throw new RalphError("environment", "The run in the background was killed.");
    if (outcome.code !== 0 && child.output() === "")
      context.log.error(
        new RalphError(
          "environment",
          `The run in the background ended at once (exit ${outcome.code}), and ${logFile} is empty.`,
        ),
      );
    return outcome.code;
  }
  if (outcome.run === null)
    throw new RalphError("environment", `The run did not come up in time and was ended. Its output is in ${logFile}`);
  const project = dirname(ralphDir);
  const at = ownerOf(project) === project ? "" : ` -C ${typedWord(projectTitle(project))}`;
  if (!context.args.quiet)
    context.stdout(`Run ${outcome.run} goes on in the background (pid ${child.pid}).
  ralph attach${at}      the dashboard; leaving it stops nothing
  ralph logs -f${at}     its lines
  ralph stop${at}        after this iteration, or --now
`);
  return 0;
}

/** The run that the child holds the lock for, after the time in which it may fail. */
async function waitForRun(
  { pid }: DetachedProcess,
  ralphDir: string,
  { staysMs, startsWithinMs }: { staysMs: number; startsWithinMs: number },
): Promise<{ run: string | null }> {
  for (const end = performance.now() + startsWithinMs; performance.now() < end; await sleep(LOOK_MS)) {
    const lock = readLock(join(ralphDir, "lock"));
    if (lock?.isHeld === true && lock.pid === pid) return sleep(staysMs, { run: lock.run });
  }
  return { run: null };
}

function forwardedArgs(words: readonly string[]): string[] {
  const end = words.indexOf("--");
  return words.filter((word, at) => !OURS.has(word) || (end !== -1 && at > end));
}
