import type { Decision } from "../../core/decide/decide.ts";
import { gateCommands } from "../../core/decide/gate-rules.ts";
import { gatesFirst } from "../../core/decide/gates-due.ts";
import type { EventOf } from "../../core/journal/event.ts";
import { warning } from "../../core/journal/warning.ts";
import { questionsWithoutTask } from "../../core/needs/questions.ts";
import { stillTakenOff } from "../../core/plan/box-changes.ts";
import { parseProjectPlan } from "../../core/plan/fix-plan.ts";
import { branchLeft, describeBranchLeft } from "../../core/prompt/branch-left.ts";
import { hasGitSteps } from "../../core/publish/steps.ts";
import type { StopReason } from "../../core/stop/stop-reasons.ts";
import type { Snapshot } from "../../effects/ports.ts";
import type { Agent } from "../agent.ts";
import { noteDaySpending } from "../day-spending.ts";
import { planIfReadable } from "../plan-if-readable.ts";
import type { Run } from "../run.ts";
import { runGates } from "./gates.ts";
import { noteIndexLock } from "./index-lock.ts";
import { type IterationStart, REPOSITORY_GONE, runIteration } from "./iteration.ts";
import { decideOrLook } from "./look.ts";
import { endRun, withNextStep } from "./loop-end.ts";
import { createNews, noteForecast, noteIteration } from "./loop-notes.ts";
import { reviewIfDue } from "./review.ts";

/** Restores nothing: the files, including the journal, moved along with the folder. */
const GONE = "The project's folder is no longer where it was: moved, renamed or deleted. Go on from where it is now.";

/**
 * Decides, waits and iterates until there is a reason to stop.
 * @param reviewers who may look at finished work (REVIEW_ON_DONE); the next one takes the place of one whose look came to
 *   nothing
 * @returns the run's last event
 */
export async function loop(
  run: Run,
  agent: Agent,
  reviewers: readonly Agent[] = [agent],
): Promise<EventOf<"run_finished">> {
  const { stops } = run;
  const hadRepository = run.world.workspace.isGitRepository;
  // Before the gates are frozen: a rebase that a kill left has the files of others.
  const steps = hasGitSteps(run.settings, run.state())
    ? await (await import("./git-steps.ts")).beginGitSteps(run, agent)
    : null;
  const hasLostRepository = () => hadRepository && !run.world.workspace.isGitRepository && !run.world.project.isGone();
  const branch = run.world.workspace.branch();
  const home = branch ?? run.state().home;
  /** The steps tell themselves of a branch that they work on. */
  const leftNow = (): string | null => {
    const { workspace } = run.world;
    return steps === null ? branchLeft({ head: workspace.head(), branch: workspace.branch() }, home) : null;
  };
  const leftBefore = branch === null ? leftNow() : null;
  if (leftBefore !== null) run.append(warning(describeBranchLeft(leftBefore)));
  /** What became of the repository, for the last sentence. */
  const repositoryNow = (): string => {
    if (hasLostRepository()) return ` ${REPOSITORY_GONE}`;
    const left = leftNow();
    return left === null ? "" : ` ${describeBranchLeft(left)}`;
  };
  const end = (reason: StopReason, sentence: string) => {
    noteIndexLock(run, true);
    return endRun(run, reason, sentence + repositoryNow(), steps);
  };
  const tellNews = createNews(run, agent);
  const frozen = await freezeGates(run);
  /** What the next iteration begins with, as long as nobody can have changed it. */
  let known: IterationStart | null = frozen === null ? null : { tree: frozen };
  let areFilesChecked = false;
  for (;;) {
    // A stop that could not be recorded is missing from the state, and would end every further call at once.
    if (stops.killSignal.aborted && run.state().stop_requested === null) {
      if (run.world.project.isGone()) return end("files_deleted", GONE);
      throw stops.killSignal.reason;
    }
    // Checked after a wait too: the user may have deleted files or moved the folder meanwhile.
    const lost = areFilesChecked ? null : restoreLostFiles(run);
    if (lost !== null) return end("files_deleted", lost);
    areFilesChecked = false;
    if (gatesFirst(run.state(), run.settings)) {
      await runGates(run, { iteration: run.state().iteration, couldEndOn: await run.world.workspace.snapshot() });
      known = null;
      continue;
    }
    noteDaySpending(run);
    noteForecast(run);
    dropQuestions(run);
    const decidedAt = run.world.clock.now();
    const decision = await decideOrLook(run, reviewers);
    if (decision === null) {
      known = null;
      continue;
    }
    if (decision.do === "stop") return end(decision.reason, withNextStep(run, agent, decision));
    if (decision.do === "wait") {
      await wait(run, decision, decidedAt);
      // The user may have edited files during the wait. That is not the agent's work, unless an iteration is open.
      if (run.state().open === null) known = null;
      continue;
    }
    noteIndexLock(run, false);
    if (decision.drops !== null) run.append({ type: "reset", what: "session", reason: decision.drops });
    const earlier = run.state();
    known = await runIteration(run, agent, { ...decision, home }, known);
    noteIteration(run, earlier);
    const deleted = restoreLostFiles(run);
    if (deleted !== null) return end("files_deleted", deleted);
    const { open, last } = run.state();
    if (steps !== null && open === null && last?.number === decision.number) {
      await steps.afterIteration(decision.number);
      // What the steps change is not the agent's work.
      known = null;
    }
    if (await reviewIfDue(run, agent, decision)) known = null;
    tellNews();
    // Neither steps nor a review came in between.
    areFilesChecked = known !== null;
  }
}

/** @param decidedAt epoch ms: a clock that was set back since then ends the wait */
async function wait(
  { world, append, later, stops }: Run,
  { until, why, message }: Extract<Decision, { do: "wait" }>,
  decidedAt: number,
): Promise<void> {
  append({ type: "wait_started", until: new Date(until).toISOString(), why, message });
  later.now();
  await world.clock.sleepUntil(until, stops.waitSignal, decidedAt);
  append({ type: "wait_ended", why });
}

/** A question is overtaken when a person ticks, rewords or removes its task in the plan. */
function dropQuestions({ world, state, append, settings }: Run): void {
  const plan = state().open === null ? parseProjectPlan(planIfReadable(world.project.plan), settings) : null;
  if (plan === null) return;
  const { inbox, taken_off } = state();
  const known = [...plan.tasks.map(({ text }) => text), ...stillTakenOff(taken_off, plan)];
  const numbers = questionsWithoutTask(inbox, known);
  if (numbers.length > 0) append({ type: "questions_dropped", numbers });
}

/** Freezes the files of the gates before the agent can change them. @returns the tree so far; null without gates */
async function freezeGates({ world, settings, gateWatch }: Run): Promise<Snapshot | null> {
  if (gateCommands(settings).length === 0 || world.project.isGone()) return null;
  const tree = await world.workspace.snapshot();
  gateWatch.begin(tree);
  return tree;
}

/** Restores lost files that a run needs and names them in a sentence; null if there are none. */
function restoreLostFiles({ world, guard }: Run): string | null {
  if (world.project.isGone()) return GONE;
  const lost = guard.restoreLost();
  return lost.length === 0 ? null : `Put back: ${lost.join(", ")}.`;
}
