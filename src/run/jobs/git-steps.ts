/** Commit, rebase, push and tag (product.md "Git steps"). A step that fails ends nothing: it is told, then and at the end. */
import { describeFailedSteps } from "../../core/publish/git-step.ts";
import { parseTag } from "../../core/publish/next-tag.ts";
import { parsePush } from "../../core/publish/push-target.ts";
import { gatesSay } from "../../core/publish/steps.ts";
import { STOP_REASONS, type StopReason } from "../../core/stop/stop-reasons.ts";
import type { Agent } from "../agent.ts";
import { commitWork } from "../publish/commit.ts";
import { pushWork } from "../publish/push.ts";
import { giveUpOldRebase, rebaseWork, type Unsolved } from "../publish/rebase.ts";
import type { StepContext } from "../publish/step-context.ts";
import { tagWork } from "../publish/tag.ts";
import type { Run } from "../run.ts";
import { runGates } from "./gates.ts";

export type GitSteps = {
  /** Call it after each iteration that came to its end. */
  afterIteration(iteration: number): Promise<void>;
  /** Call it before the run ends. @returns what to add to the sentence about its end */
  atEnd(reason: StopReason): Promise<string>;
};

/** Looks at what is checked out, and gives up a rebase of ours that a kill left. */
export async function beginGitSteps(run: Run, agent: Agent): Promise<GitSteps> {
  const publisher = await run.world.publisher(run.marker, run.stops.killSignal);
  const context: StepContext = { run, agent, publisher, branch: null, large: new Set() };
  await giveUpOldRebase(context);
  const checkout = await publisher.checkout();
  context.branch = "value" in checkout ? checkout.value.branch : null;
  const { COMMIT, REBASE_ON, PUSH, TAG } = run.settings;
  const target = PUSH === null ? null : parsePush(PUSH);
  const rule = TAG === null ? null : parseTag(TAG);
  const unsolved: Unsolved = new Set();
  const isOver = () => run.stops.killSignal.aborted || run.world.project.isGone();
  return {
    async afterIteration(iteration) {
      if (COMMIT && !isOver()) await commitWork(context, iteration);
      if (REBASE_ON !== null && !isOver()) {
        const isNew = await rebaseWork(context, { name: REBASE_ON, iteration, unsolved });
        if (isNew) await judgeAgain(run, iteration);
      }
      // Without gates nothing else tells what is fit for others.
      const isFit = run.state().last?.outcome !== "failed";
      if (target !== null && isFit && !isOver()) await pushWork(context, { target, iteration, atEnd: false });
    },
    async atEnd(reason) {
      if (!isOver()) {
        const { iteration, last } = run.state();
        const isDone = STOP_REASONS[reason].status === "completed";
        const mayPush = target !== null && (isDone || (last !== null && last.outcome !== "failed"));
        const remote = mayPush ? await pushWork(context, { target, iteration, atEnd: true }) : null;
        if (isDone && rule !== null && (target === null || remote !== null)) await tagWork(context, rule, remote);
      }
      return describeFailedSteps(run.state().publish);
    },
  };
}

/** The work now stands on that of others: what the gates said was about something else. */
async function judgeAgain(run: Run, iteration: number): Promise<void> {
  if (gatesSay(run.state(), run.settings) !== "green") return;
  await runGates(run, { iteration, couldEndOn: await run.world.workspace.snapshot() });
}
