import { gitFailure } from "../../core/publish/git-failure.ts";
import { isMainBranch, type PushTarget, pushStep, pushToMainHint } from "../../core/publish/push-target.ts";
import { gatesSay } from "../../core/publish/steps.ts";
import { firstNames } from "../../core/text/first-names.ts";
import { typedWord } from "../../core/text/shell-words.ts";
import { runGates } from "../jobs/gates.ts";
import { strayed } from "./commit.ts";
import { fail, forPerson, type StepContext, succeed, withRetries } from "./step-context.ts";

/** Looks at a remote that others change meanwhile. */
const MOST_LOOKS = 3;
const ID_CHARS = 7;

/** What to push, and where. */
type Push = { remote: string; to: string; head: string; replaces: string | null };

/**
 * Pushes the run's branch if the gates are green on it.
 * @param atEnd gates that did not run on it then run
 * @returns the remote that has the branch now; null if it was not pushed
 */
export async function pushWork(
  context: StepContext,
  { target, iteration, atEnd }: { target: PushTarget; iteration: number; atEnd: boolean },
): Promise<string | null> {
  const { run } = context;
  if (gatesSay(run.state(), run.settings) === "red") return none(context, "the gates are red.");
  for (let looks = 0; ; looks += 1) {
    const push = await planPush(context, target);
    if (push === null || typeof push === "string") return push;
    const says = gatesSay(run.state(), run.settings);
    if (says === "unknown" && !atEnd) return null;
    if (says !== "none" && !(await isWhatGatesSee(context))) return null;
    if (says === "unknown" && !(await gatesAreGreen(context, iteration))) return null;
    const { remote, to, head, replaces } = push;
    const sent = await withRetries(run, (signal) =>
      context.publisher.push({ remote, ref: `refs/heads/${to}`, commit: head, replaces }, signal),
    );
    if ("value" in sent) {
      const instead = replaces === null ? "" : `, in place of ${replaces.slice(0, ID_CHARS)}`;
      const text = `Pushed ${head.slice(0, ID_CHARS)} to ${remote}/${to}${instead}.`;
      succeed(context, { step: "push", remote, branch: to, commit: head, text });
      return remote;
    }
    if (gitFailure(sent.failed) === "moved" && looks + 1 < MOST_LOOKS) continue;
    // A refusal is the same one whatever commit it names.
    const why = sent.failed.replaceAll(head, to);
    return none(context, why, sent.ended === "stopped" ? null : pushCommand(remote, to));
  }
}

/** Gates judge the files as they are, which says nothing of the commit where some are in none. What is ralph's own is none of theirs. */
async function isWhatGatesSee(context: StepContext): Promise<boolean> {
  const found = await context.publisher.uncommitted();
  if ("failed" in found) {
    fail(context, "push", found.failed);
    return false;
  }
  const paths = found.value.filter((one) => !/(?:^|\/)\.ralph\//.test(one));
  if (paths.length === 0) return true;
  const why = `the gates judge files that are not committed, and would not be pushed (--commit does that): ${firstNames(paths, 1)}.`;
  fail(context, "push", why, "git status");
  return false;
}

async function gatesAreGreen(context: StepContext, iteration: number): Promise<boolean> {
  const { run } = context;
  if (run.state().stop_requested !== null) {
    fail(context, "push", "the gates have not run on it, because the run was stopped.");
    return false;
  }
  const ran = await runGates(run, { iteration, couldEndOn: await run.world.workspace.snapshot() });
  if (ran && gatesSay(run.state(), run.settings) === "green") return true;
  fail(context, "push", ran ? "the gates are red." : "the gates did not come to their end.");
  return false;
}

/** @returns what to push; the remote's name if it has everything; null where it is told why nothing can be pushed */
async function planPush(context: StepContext, target: PushTarget): Promise<Push | string | null> {
  const { run, publisher, branch } = context;
  const checkout = await publisher.checkout();
  if ("failed" in checkout) return none(context, checkout.failed);
  const { head, busy } = checkout.value;
  if (busy !== null) return none(context, `a git ${busy} is under way in the repository.`, `git ${busy} --abort`);
  if (branch === null || checkout.value.branch !== branch) return none(context, strayed(checkout.value.branch, branch));
  if (head === null) return null;
  const remote = target.remote ?? (await publisher.remoteOf(branch));
  if (remote === null) return none(context, "the repository has no remote to push to.", "git remote add origin URL");
  const to = target.branch ?? branch;
  const look = await withRetries(run, (signal) => publisher.look(remote, to, signal));
  if ("failed" in look) return none(context, `${remote}: ${look.failed}`, forPerson(look, pushCommand(remote, to)));
  const { tip, main } = look.value;
  const isMain = isMainBranch(to, main);
  if (isMain && target.branch === null)
    return none(context, `${to} is the main branch of ${remote}. ${pushToMainHint(remote, to)}`);
  const isBehind = tip !== null && (await publisher.isAncestor(tip, head));
  const isRewritten = tip !== null && (await wasOurs(context, tip));
  const step = pushStep(head, { tip, isBehind, isRewritten, isMain });
  if (step === "nothing") {
    if (run.state().publish.failed.push !== undefined)
      succeed(context, { step: "push", remote, branch: to, commit: head, text: `${remote}/${to} has everything.` });
    return remote;
  }
  if (step === "foreign")
    return none(
      context,
      `${remote}/${to} has commits that ${branch} does not have.`,
      `git pull --rebase ${typedWord(remote)} ${typedWord(to)}`,
    );
  return { remote, to, head, replaces: step === "force" ? tip : null };
}

/** Whether a commit has nothing but what the run's branch was before a rebase. */
async function wasOurs({ run, publisher }: StepContext, tip: string): Promise<boolean> {
  for (const old of run.state().publish.rewritten) if (await publisher.isAncestor(tip, old)) return true;
  return false;
}

function pushCommand(remote: string, to: string): string {
  return `git push ${typedWord(remote)} ${typedWord(`HEAD:${to}`)}`;
}

function none(context: StepContext, why: string, command: string | null = null): null {
  fail(context, "push", why, command);
  return null;
}
