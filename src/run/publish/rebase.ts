import { rebasePrompt } from "../../core/prompt/rebase-prompt.ts";
import { mayCall } from "../../core/publish/steps.ts";
import { reasonOf } from "../../core/system-error.ts";
import { count } from "../../core/text/count.ts";
import { typedWord } from "../../core/text/shell-words.ts";
import type { RebaseConflict, RebaseEnd, Tried } from "../../effects/ports.ts";
import { callAgent } from "../call.ts";
import { composeRequest, requestBase } from "../compose-request.ts";
import { strayed } from "./commit.ts";
import { fail, forPerson, keepFiles, type StepContext, succeed, withRetries } from "./step-context.ts";

/** Calls for the conflicts of one rebase. */
const MOST_CALLS = 3;
const ID_CHARS = 7;
const MOST_NAMED = 3;

/** Targets on which the agent could not put the work: it is not paid for the same again. */
export type Unsolved = Set<string>;

type Plan = { name: string; onto: string; branch: string; from: string; iteration: number };

/**
 * Puts the run's branch on top of REBASE_ON when that has moved. What does not fit goes to the agent; what it cannot solve is given up, and
 * everything is as it was.
 * @returns whether the branch was rewritten
 */
export async function rebaseWork(
  context: StepContext,
  { name, iteration, unsolved }: { name: string; iteration: number; unsolved: Unsolved },
): Promise<boolean> {
  const plan = await planRebase(context, name, iteration);
  if (plan === null || unsolved.has(plan.onto)) return false;
  const { run, publisher } = context;
  const { onto, branch, from } = plan;
  const kept = await keepFiles(run, `${iteration}.rebase`, true);
  if ("failed" in kept) return failed(context, kept.failed);
  const text = `Putting ${branch} (${from.slice(0, ID_CHARS)}) on top of ${name} (${onto.slice(0, ID_CHARS)}).`;
  run.append({ type: "git_step", step: "rebase", result: "begun", branch, from, onto, text, ...keptOf(kept) });
  const end = await solve(context, plan, await publisher.rebase(onto, run.stops.killSignal));
  const problem = "why" in end ? end.why : await problemOf(context, plan, end.asked);
  if (problem === null) {
    const commit = await headOf(context);
    succeed(context, {
      step: "rebase",
      branch,
      from,
      onto,
      ...(commit === null ? {} : { commit }),
      text: `Put ${branch} on top of ${name} (${onto.slice(0, ID_CHARS)}).`,
    });
    return true;
  }
  if ("why" in end ? end.wasTried : end.asked) unsolved.add(onto);
  await giveBack(context, { ...plan, problem, kept: kept.commit });
  return false;
}

/** Gives up a rebase that a killed run left. What was done on it is in a checkpoint. */
export async function giveUpOldRebase(context: StepContext): Promise<void> {
  const { run, publisher } = context;
  const { rebase } = run.state().publish;
  if (rebase === null) return;
  if ((await publisher.rebasedFrom()) !== rebase.from) {
    // It came to its end, or is somebody else's.
    succeed(context, { step: "rebase", text: `The rebase of ${rebase.branch} that was under way is over.` });
    return;
  }
  const problem = "ralph was ended in the middle of it.";
  await giveBack(context, { ...rebase, name: rebase.onto.slice(0, ID_CHARS), iteration: 0, problem });
}

/** @returns what to do; null where nothing is, or where it is told why nothing can be done */
async function planRebase(context: StepContext, name: string, iteration: number): Promise<Plan | null> {
  const { run, publisher, branch } = context;
  const known = await publisher.base(name);
  if ("failed" in known) return none(context, known.failed);
  if (known.value?.remote) {
    const { remote } = known.value;
    const fetched = await withRetries(run, (signal) => publisher.fetch(remote, signal));
    if ("failed" in fetched)
      return none(
        context,
        `${name} could not be fetched: ${fetched.failed}`,
        forPerson(fetched, `git fetch ${typedWord(remote.name)}`),
      );
  }
  const base = await publisher.base(name);
  if ("failed" in base) return none(context, base.failed);
  const onto = base.value?.commit ?? null;
  if (onto === null) return none(context, `there is no branch ${name} any more.`, "git branch --all");
  const checkout = await publisher.checkout();
  if ("failed" in checkout) return none(context, checkout.failed);
  const { head, busy, isChanged } = checkout.value;
  if (busy !== null) return none(context, `a git ${busy} is under way in the repository.`, `git ${busy} --abort`);
  if (branch === null || checkout.value.branch !== branch)
    return none(
      context,
      strayed(checkout.value.branch, branch),
      branch === null ? null : `git switch ${typedWord(branch)}`,
    );
  if (head === null) return null;
  if (await publisher.isAncestor(onto, head)) {
    if (run.state().publish.failed.rebase !== undefined)
      succeed(context, { step: "rebase", text: `${branch} is on top of ${name}.` });
    return null;
  }
  if (isChanged) return none(context, "there are changes that are not committed (--commit does that).", "git status");
  const overwritten = await publisher.overwrittenByRebase(onto);
  if ("failed" in overwritten) return none(context, overwritten.failed);
  if (overwritten.value.length > 0)
    return none(
      context,
      `these files are in no commit, and would be overwritten: ${someOf(overwritten.value)}.`,
      "git status --ignored",
    );
  return { name, onto, branch, from: head, iteration };
}

function none(context: StepContext, why: string, command: string | null = null): null {
  fail(context, "rebase", why, command);
  return null;
}

function failed(context: StepContext, why: string): false {
  fail(context, "rebase", why);
  return false;
}

/** `asked`: an agent had to do with it. */
type Finished = { asked: boolean };
/** `wasTried`: the agent had its calls. */
type Unfinished = { why: string; wasTried: boolean };

/** Lets the agent solve one conflict after the other. */
async function solve(context: StepContext, plan: Plan, begun: Tried<RebaseEnd>): Promise<Finished | Unfinished> {
  const { run, publisher } = context;
  let at: Tried<RebaseEnd | "unsolved"> = begun;
  let files = "";
  let answered = false;
  for (let calls = 0; ; calls += 1) {
    if ("failed" in at) return { why: at.failed, wasTried: false };
    if (at.value === "done") return { asked: calls > 0 };
    if (at.value === "unsolved")
      return { why: `the agent did not solve the conflict in ${files}.`, wasTried: answered };
    const conflict: RebaseConflict = at.value;
    files = someOf(conflict.paths);
    if (calls === MOST_CALLS)
      return { why: `there are still conflicts after ${calls} calls, in ${files}.`, wasTried: true };
    const { state, now } = run.present();
    if (!mayCall(state, run.settings, now))
      return { why: `it does not fit in ${files}, and no call is allowed now.`, wasTried: false };
    answered = await askAgent(context, plan, conflict);
    at = await publisher.rebaseOn(conflict, run.stops.killSignal);
  }
}

function someOf(paths: readonly string[]): string {
  return `${paths.slice(0, MOST_NAMED).join(", ")}${paths.length > MOST_NAMED ? " …" : ""}`;
}

/** @returns whether the agent answered */
async function askAgent(context: StepContext, plan: Plan, conflict: RebaseConflict): Promise<boolean> {
  const { run, agent } = context;
  const { name, branch, iteration } = plan;
  const call = run.state().looks.call + 1;
  const text = `${branch} does not fit on ${name} in ${conflict.paths.join(", ")}: the agent solves it.`;
  run.append({ type: "git_step", step: "rebase", result: "conflict", text, number: iteration, call });
  const prompt = rebasePrompt({ branch, onto: name, ...conflict });
  const request = composeRequest({ ...requestBase(run, agent), prompt, readOnly: false });
  const answer = await callAgent(run, agent, { purpose: "rebase", iteration, call, request });
  return answer.ok;
}

async function headOf({ publisher }: StepContext): Promise<string | null> {
  const checkout = await publisher.checkout();
  return "value" in checkout ? checkout.value.head : null;
}

/** What an agent may have done in place of solving the conflict; null if all is well. */
async function problemOf(
  { publisher }: StepContext,
  { onto, branch, name, from }: Plan,
  asked: boolean,
): Promise<string | null> {
  const checkout = await publisher.checkout();
  if ("failed" in checkout) return checkout.failed;
  const { head, busy } = checkout.value;
  if (busy !== null) return `a git ${busy} is under way in the repository.`;
  if (checkout.value.branch !== branch || head === null) return strayed(checkout.value.branch, branch);
  if (!(await publisher.isAncestor(onto, head))) return `${branch} is not on top of ${name} after it.`;
  const lost = asked ? await publisher.lostByRebase(from, onto) : 0;
  return lost === 0 ? null : `${count(lost, "commit")} of ${branch} would be lost by it.`;
}

type Back = Plan & { problem: string; kept: string | null };

/** Gives up a rebase: branch and files as they were before it. What the agent tried is in a checkpoint. */
async function giveBack(context: StepContext, { problem, kept, name, branch, from, iteration }: Back): Promise<void> {
  const { run, publisher } = context;
  const command = `git rebase ${typedWord(name)}`;
  const attempt = await keepFiles(run, `${iteration}.rebase-attempt`, true);
  if ("failed" in attempt) return stays(context, `${problem} It is still under way: ${attempt.failed}`);
  if ((await publisher.rebasedFrom()) !== null) {
    const given = await publisher.giveUpRebase();
    if ("failed" in given) return stays(context, `${problem} It is still under way: ${given.failed}`);
  }
  const left = kept === null ? null : await restoreFiles(context, kept, iteration);
  // An agent may have brought it to an end, or left the branch.
  await publisher.putBranchBack(branch, from);
  const checkout = await publisher.checkout();
  const now = "value" in checkout ? checkout.value : null;
  const isBack = now?.branch === branch && now.head === from;
  const where = isBack
    ? `${branch} is as it was${now.isChanged ? ", but some files are not: see git status" : ""}.`
    : `${branch} was ${from.slice(0, ID_CHARS)} before: look at it with git log.`;
  fail(context, "rebase", [problem, where, left].filter((part) => part !== null).join(" "), command);
}

function stays({ run }: StepContext, why: string): void {
  const text = `Not rebased: ${why}`;
  run.append({ type: "git_step", step: "rebase", result: "failed", text, command: "git rebase --abort", stays: true });
}

/** @returns what could not be given back, in a sentence; null if everything was */
async function restoreFiles({ run }: StepContext, to: string, iteration: number): Promise<string | null> {
  const name = `${iteration}.rebase-end`;
  const now = await keepFiles(run, name, true);
  if ("failed" in now || now.commit === null) return "The files that were left in the middle of it are where they are.";
  try {
    const { left } = await run.world.checkpoints.restore({ from: now.commit, to, aside: run.files.file(name) });
    return left.length === 0 ? null : `Not given back: ${left.join(", ")}.`;
  } catch (error) {
    return `The files before it could not be given back: ${reasonOf(error)}`;
  }
}

function keptOf({ commit }: { commit: string | null }): { kept?: string } {
  return commit === null ? {} : { kept: commit };
}
