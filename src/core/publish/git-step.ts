/** What the git steps of a run did (product.md "Git steps"). */

/** `index`: no step, but what keeps an agent from committing (index-lock.ts). */
export type GitStepName = "commit" | "rebase" | "push" | "tag" | "index";

export type GitStep = {
  step: GitStepName;
  /**
   * `begun`: a rebase, until it is done or has failed. `conflict`: it reserves the call of an agent that is to solve it. `failed`: what
   * the step was to change is as it was, except with `stays`.
   */
  result: "done" | "begun" | "conflict" | "failed";
  /** For people: what was done, or why it was not. */
  text: string;
  /** The commit that was made, that the branch has now, that was pushed or tagged. */
  commit?: string;
  /** The branch here that is rebased; of a push, the branch in the remote. */
  branch?: string;
  /** What the branch was before a rebase, and what it was put on. */
  from?: string;
  onto?: string;
  /** The checkpoint of the files before a rebase. */
  kept?: string;
  remote?: string;
  tag?: string;
  /** Numbers of the iteration and of the call that a conflict reserves. */
  number?: number;
  call?: number;
  /** What a person can do about a failure; none: it is tried again by itself. */
  command?: string;
  /** A rebase of ours that could not be given up. */
  stays?: true;
};

export type PublishState = {
  /** A rebase of ours that is under way, or that a kill left. */
  rebase: { branch: string; from: string; onto: string; kept: string | null } | null;
  /** What the branches of this project were before rebases of ours, the newest last. */
  rewritten: string[];
  /** The steps that did not work the last time. */
  failed: Partial<Record<GitStepName, { iteration: number; text: string; command: string | null }>>;
};

const MOST_REWRITTEN = 50;

/** Nothing was done yet. */
export function noPublishing(): PublishState {
  return { rebase: null, rewritten: [], failed: {} };
}

const COMMIT_ID = /^[0-9a-f]{40,64}$/;

/** What the next run takes over. The journal may have come with a clone: a name for a commit would be whatever stands in a remote then. */
export function carriedPublishing({ rebase, rewritten }: PublishState): PublishState {
  return { ...noPublishing(), rebase, rewritten: rewritten.filter((id) => COMMIT_ID.test(id)) };
}

/** The state after a step. */
export function afterGitStep(state: PublishState, event: GitStep & { iteration: number }): PublishState {
  const { step, result, branch, from, onto, kept = null, text, iteration, command = null } = event;
  if (result === "conflict") return state;
  if (result === "begun")
    return branch === undefined || from === undefined || onto === undefined
      ? state
      : {
          ...state,
          rebase: { branch, from, onto, kept },
          rewritten: [...state.rewritten, from].slice(-MOST_REWRITTEN),
        };
  const rebase = step === "rebase" && event.stays !== true ? null : state.rebase;
  const { [step]: _, ...others } = state.failed;
  const failed = result === "done" ? others : { ...others, [step]: { iteration, text, command } };
  return { ...state, rebase, failed };
}

/** What did not work, in sentences for the end of a run, after a blank; "" if everything did. */
export function describeFailedSteps({ failed }: PublishState): string {
  return Object.values(failed)
    .map(({ text }) => ` ${text}`)
    .join("");
}
