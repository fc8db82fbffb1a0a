import { setTimeout as sleep } from "node:timers/promises";
import type { GitResult } from "./git-program.ts";

/** What git says of a worktree that another git is just making, which has no commit for a moment (seen with 2.39). */
const HALF_MADE = /bad object worktrees\/[^\s/]+\/HEAD/;
const PAUSE_MS = 30;
/** For three seconds; one that a kill left half made stays so. */
const MOST_TRIES = 100;

/** Runs a git again that failed only because of a worktree that is being made: a fetch or a push looks at the commits of all. */
export async function pastHalfMade(run: () => Promise<GitResult>): Promise<GitResult> {
  for (let tries = 1; ; tries += 1) {
    const result = await run();
    if (result.code === 0 || tries === MOST_TRIES || !HALF_MADE.test(result.stderr)) return result;
    await sleep(PAUSE_MS);
  }
}
