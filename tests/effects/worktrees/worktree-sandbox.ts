/** A project with a commit, a prompt and a plan, to make worktrees of. */

import { NO_MASKS } from "../../../src/core/secrets/mask.ts";
import { openWorktree } from "../../../src/effects/worktrees/open.ts";
import type { OpenOptions, Worktree } from "../../../src/effects/worktrees/worktrees.ts";
import { createSandbox, type Sandbox } from "../git/git-sandbox.ts";

export type WorktreeSandbox = Sandbox & {
  said: string[];
  open(name: string | null, more?: Partial<OpenOptions>): Promise<Worktree>;
};

export function worktreeSandbox(start?: "repository" | "plain"): WorktreeSandbox {
  const sandbox = createSandbox(start);
  const said: string[] = [];
  sandbox.write({ "src.txt": "one\n", ".ralph/PROMPT.md": "Work.\n", ".ralph/fix_plan.md": "- [ ] one\n" });
  return {
    ...sandbox,
    said,
    open: (name, more) =>
      openWorktree({
        project: sandbox.project,
        name,
        setup: null,
        masks: NO_MASKS,
        env: sandbox.env,
        signal: new AbortController().signal,
        say: (text) => said.push(text),
        ...more,
      }),
  };
}

/** The sentence of the error that a promise ends with. */
export async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => null,
    (cause: unknown) => cause,
  );
  return error instanceof Error ? error.message : `no error: ${String(error)}`;
}
