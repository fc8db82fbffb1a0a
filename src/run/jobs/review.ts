import { finalText } from "../../core/answer/collected-output.ts";
import { decide } from "../../core/decide/decide.ts";
import { findingsSentence, parseFindings, reviewDue } from "../../core/decide/review-state.ts";
import type { Agent } from "../agent.ts";
import { type CallResult, callAgent, whyFailed } from "../call.ts";
import { composeReview, requestBase } from "../compose-request.ts";
import type { Run } from "../run.ts";

/**
 * Has the agent review the changes, with tools that cannot write, in a session of its own (as in bmalph). The work goes
 * on whatever the result, and a review's text never counts for "done". A review counts as a call, so there is none
 * unless the budget and the bounds would allow the run to go on.
 * @param after the iteration that just ended, and its newest call
 * @returns whether the agent was called
 */
export async function reviewIfDue(run: Run, agent: Agent, after: { number: number; call: number }): Promise<boolean> {
  const { world, settings } = run;
  const { state, now } = run.present();
  if (agent.driver.supportsReadOnly !== true || !reviewDue(state, settings)) return false;
  if (decide(state, settings, now).do !== "run") return false;

  const call = after.call + 1;
  const request = composeReview({
    ...requestBase(run, agent),
    review: state.review,
    prompt: world.project.reviewPrompt(),
  });
  run.append({ type: "review_started", number: after.number, call });
  const answer = await callAgent(run, agent, { purpose: "review", iteration: after.number, call, request });
  const findings = answer.ok ? parseFindings(finalText(answer.output)) : null;
  const sentence = findings === null ? withoutFindings(answer) : findingsSentence(findings);
  run.append({ type: "review_finished", call, findings, sentence });
  return true;
}

function withoutFindings(answer: CallResult): string {
  return answer.ok ? "The review's answer has no readable findings." : `The review failed: ${whyFailed(answer)}.`;
}
