/** Where `--push` pushes to. */
import { typedWord } from "../text/shell-words.ts";

/** Of `--push` alone: the remote that git itself would push to. */
export const AUTO = "auto";

export type PushTarget = {
  /** Null: the one that git would take. */
  remote: string | null;
  /** Null: the branch of the run. A branch that is named may be the remote's main branch. */
  branch: string | null;
};

/** Reads PUSH: `auto`, `REMOTE`, or `REMOTE:BRANCH`; null for anything else. */
export function parsePush(text: string): PushTarget | null {
  const [, remote, , branch = null] = /^([\w.][\w./-]*)(:([\w.][\w./+@-]*))?$/.exec(text.trim()) ?? [];
  return remote === undefined ? null : { remote: remote === AUTO ? null : remote, branch };
}

const MAIN_NAMES: ReadonlySet<string> = new Set(["main", "master", "trunk"]);

/** Whether a branch is what others build on: the remote's own, or by its name where the remote does not say. */
export function isMainBranch(branch: string, remoteHead: string | null): boolean {
  return branch === remoteHead || MAIN_NAMES.has(branch);
}

/** What a person does who wants just that. */
export function pushToMainHint(remote: string, branch: string): string {
  return `Work on a branch of its own (git switch -c NAME), or say that you mean it: --push=${typedWord(`${remote}:${branch}`)}`;
}

/** What the remote's branch is to the branch here. */
export type RemoteBranch = {
  /** Commit of the branch in the remote; null if it has none. */
  tip: string | null;
  /** Whether the branch here has everything that it has. */
  isBehind: boolean;
  /** Whether it has only what the run's branch was before a rebase of ours. */
  isRewritten: boolean;
  isMain: boolean;
};

export type PushStep = "nothing" | "push" | "force" | "foreign";

/**
 * How to push `head`: `force` replaces exactly the tip that was seen. Only what a rebase of ours rewrote is replaced, and never on a main
 * branch.
 */
export function pushStep(head: string, { tip, isBehind, isRewritten, isMain }: RemoteBranch): PushStep {
  if (tip === head) return "nothing";
  if (tip === null || isBehind) return "push";
  return isRewritten && !isMain ? "force" : "foreign";
}
