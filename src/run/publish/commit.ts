import { warning } from "../../core/journal/warning.ts";
import { takeableTasks } from "../../core/needs/questions.ts";
import { parseProjectPlan } from "../../core/plan/fix-plan.ts";
import { commitMessage } from "../../core/publish/commit-message.ts";
import { byteSize } from "../../core/text/byte-size.ts";
import { firstNames } from "../../core/text/first-names.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import type { LargeFile } from "../../effects/ports.ts";
import type { Run } from "../run.ts";
import { fail, keepFiles, type StepContext, succeed } from "./step-context.ts";

const ID_CHARS = 7;
const MOST_NAMED = 3;

/** Commits what the iteration left uncommitted, onto the run's branch. @returns whether there is a new commit */
export async function commitWork(context: StepContext, iteration: number): Promise<boolean> {
  const { run, publisher, branch } = context;
  const checkout = await publisher.checkout();
  if ("failed" in checkout) fail(context, "commit", checkout.failed);
  else if (checkout.value.branch !== branch) fail(context, "commit", strayed(checkout.value.branch, branch));
  else {
    const kept = await keepFiles(run, `${iteration}.commit`, false);
    if ("failed" in kept) fail(context, "commit", kept.failed);
    else return commit(context, iteration);
  }
  return false;
}

async function commit(context: StepContext, iteration: number): Promise<boolean> {
  const { run, publisher } = context;
  const message = commitMessage({ tasks: tasksOf(run).map(run.masks.text), run: run.state().run, iteration });
  const made = await publisher.commitAll(message, run.stops.killSignal);
  if ("failed" in made) {
    // The agent is told, and can often mend what a hook names; at the end a person is.
    fail(context, "commit", made.failed, "git status");
    return false;
  }
  const { value } = made;
  if (value === null) {
    if (run.state().publish.failed.commit !== undefined)
      succeed(context, { step: "commit", text: "There is nothing left to commit." });
    return false;
  }
  const id = value.commit.slice(0, ID_CHARS);
  succeed(context, { step: "commit", commit: value.commit, text: `Committed ${id}: ${message.split("\n", 1)[0]}` });
  tellLarge(context, value.large, id);
  return true;
}

/** Once for each file: it is committed, as a person's own `git add` would have it, but the server may refuse it. */
function tellLarge({ run, large: told }: StepContext, large: readonly LargeFile[], commit: string): void {
  const files = large.filter(({ path }) => !told.has(path));
  if (files.length === 0) return;
  for (const { path } of files) told.add(path);
  const names = firstNames(
    files.map(({ path, bytes }) => `${singleLine(path)} (${byteSize(bytes)})`),
    MOST_NAMED,
  );
  const text = `The commit ${commit} has ${names}: most servers refuse a push with a file of that size. Take it out of the history before you push, or keep it with Git LFS.`;
  run.append(warning(text));
}

/** Why a step leaves a branch alone that is not the run's. */
export function strayed(now: string | null, branch: string | null): string {
  const at = now === null ? "HEAD is detached" : `${now} is checked out`;
  return branch === null ? `${at}, and the run began without a branch` : `${at}, and not the run's branch ${branch}`;
}

/** What the newest iteration worked on. */
function tasksOf({ state, world, settings }: Run): string[] {
  const { last, task } = state();
  const ticked = last?.evidence.plan_ticked ?? [];
  if (ticked.length > 0) return ticked;
  if (task !== null) return [task];
  const [next] = takeableTasks(parseProjectPlan(world.project.plan(), settings)?.tasks ?? [], state());
  return next === undefined ? [] : [next.text];
}
