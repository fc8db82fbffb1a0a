import type { Analysis } from "../answer/analysis-types.ts";
import type { Evidence } from "../journal/event.ts";
import { type PlanCounts, planComplete } from "../plan/fix-plan.ts";
import type { Settings } from "../settings/settings.ts";
import { STOP_REASONS, type StopReason } from "../stop/stop-reasons.ts";
import { isOver } from "../stop/stop-rule.ts";
import { count } from "../text/count.ts";
import type { CompletionSignals } from "./completion-signals.ts";
import { type GateResult, hasGates, openGaps } from "./gate-rules.ts";

/** The facts about "done", apart from the agent's claim. */
export type CompletionFacts = {
  plan: PlanCounts | null;
  gates: readonly GateResult[];
  /** The answer itself reports failing tests. */
  redTests: boolean;
};

/** Rejected claims, by the reason. */
export type RejectedClaims = {
  /** Claims of done that the plan, gates or tests contradicted, without work between them. */
  disputed: number;
  /** How often work began that count again since the last ticked box; older journals lack it. */
  restarts?: number;
  /** Exit signals in a row while a gate was red. */
  gated: number;
};

export type CompletionSettings = Pick<
  Settings,
  | "DONE_POLICY"
  | "TEST_COMMAND"
  | "QUALITY_GATES"
  | "HIDDEN_GATES"
  | "QUALITY_GATE_MODE"
  | "MAX_CONSECUTIVE_TEST_LOOPS"
  | "MAX_CONSECUTIVE_DONE_SIGNALS"
>;

/**
 * Else an agent that changes a line and claims again would never end. Simulated with an agent that claims too early in 60 % of its
 * answers, without a plan, in work of 12 and 20 steps: false stops of 300 are 2 and 160 with 9, 0 and 2 with 15.
 */
const MOST_RESTARTS = 15;

/** No rejected claim. */
export function noRejectedClaims(): RejectedClaims {
  return { disputed: 0, gated: 0 };
}

/**
 * The rejected claims after an answer. The policy decides whether they matter. Work since the last one, in this answer too, begins
 * the count again: an agent that claims too early and goes on working gets there.
 */
export function countRejectedClaims(
  held: RejectedClaims,
  analysis: Analysis,
  facts: CompletionFacts,
  { progress, plan_delta }: Pick<Evidence, "progress" | "plan_delta">,
): RejectedClaims {
  const isClaim = analysis.has_completion_signal;
  const isRejected = isClaim && unmetConditions(facts).length > 0;
  const spent = plan_delta > 0 ? 0 : (held.restarts ?? 0);
  const isRestart = progress && held.disputed > 0 && spent < MOST_RESTARTS;
  const before = isRestart || (isClaim && !isRejected) ? 0 : held.disputed;
  const isGated = analysis.exit_signal && facts.gates.some((gate) => !gate.ok);
  return {
    disputed: isRejected ? before + 1 : before,
    restarts: isRestart ? spent + 1 : spent,
    gated: isGated ? held.gated + 1 : 0,
  };
}

/** The objections to "done", one sentence each; empty if there are none. */
export function unmetConditions({ plan, gates, redTests }: CompletionFacts): string[] {
  const open = plan?.blocking_unchecked ?? 0;
  return [
    ...(open > 0 ? [`${count(open, "box of the plan is", "boxes of the plan are")} open.`] : []),
    ...describeFailedGates(gates),
    ...(redTests ? ["The answer says that tests fail."] : []),
  ];
}

/** The claims that the exit rules check, apart from the facts about "done". */
export type CompletionClaims = {
  signals: CompletionSignals;
  rejected: RejectedClaims;
  /** EXIT_SIGNAL of the newest answer. */
  exitSignal: boolean;
  /** Tasks that left the plan without a tick: a plan that is complete without them is no claim. */
  takenOff: readonly string[];
  /** Answers in a row that changed nothing and were denied nothing. */
  quiet: number;
};

/**
 * Applies the exit rules in their order (product.md "Done"); null to continue. The policy may first require more of a
 * reason that means "done"; claims rejected too often end the run in their own way.
 */
export function exitRule(
  claims: CompletionClaims,
  facts: CompletionFacts,
  settings: CompletionSettings,
): StopReason | null {
  const done = doneReason(claims, facts.plan, settings);
  if (done !== null && policyObjections(facts, settings).length === 0) return done;
  const counted = { held: claims.rejected };
  const disputed = STOP_REASONS.completion_disputed.rule;
  if (disputed.applies(settings)) return isOver(disputed, counted, settings) ? "completion_disputed" : null;
  const gated = STOP_REASONS.safety_circuit_breaker.rule;
  return gated.applies(settings) && isOver(gated, counted, settings) ? "safety_circuit_breaker" : null;
}

/** Whether "done" must wait for gates that did not run yet, as with a plan that is complete at the start. */
export function gatesPending(gates: readonly GateResult[], settings: CompletionSettings): boolean {
  return hasGates(settings) && gates.length === 0 && gatesBlock(settings);
}

function doneReason(
  { signals, exitSignal, takenOff, quiet }: CompletionClaims,
  plan: PlanCounts | null,
  settings: CompletionSettings,
): StopReason | null {
  const { test_saturation, project_complete, completion_signals } = STOP_REASONS;
  if (isOver(test_saturation.rule, { signals, headway: { quiet }, settings }, settings)) return "test_saturation";
  if (signals.completion_indicators.length >= project_complete.rule.threshold && exitSignal) return "project_complete";
  if (isOver(completion_signals.rule, { signals }, settings)) return "completion_signals";
  return planComplete(plan) && takenOff.length === 0 ? "plan_complete" : null;
}

/** The policy's objections to a claim of done, one sentence each; empty if there are none. */
export function policyObjections(facts: CompletionFacts, settings: CompletionSettings): string[] {
  if (gatesPending(facts.gates, settings)) return ["The gates have not run yet."];
  if (settings.DONE_POLICY === "evidence") return unmetConditions(facts);
  return describeFailedGates(gatesBlock(settings) ? facts.gates : openGaps(facts.gates));
}

/** Whether a red gate prevents "done" (product.md "Gates"). */
export function gatesBlock({ DONE_POLICY, QUALITY_GATE_MODE }: CompletionSettings): boolean {
  return DONE_POLICY === "evidence" || QUALITY_GATE_MODE !== "warn";
}

function describeFailedGates(gates: readonly GateResult[]): string[] {
  return gates.filter((gate) => !gate.ok).map(describeRedGate);
}

/** A gate that does not count for "done", in a sentence. Of a hidden one only what it requires is told. */
function describeRedGate({ command, weakened, hidden, gap }: GateResult): string {
  if (weakened) return `The gate \`${command}\` is green, but it got weaker.`;
  if (hidden === undefined) return `The ${gap === undefined ? "gate" : "command of a look"} \`${command}\` fails.`;
  const { number, requirement } = hidden;
  return requirement === null ? `A hidden gate, number ${number}, is red.` : `A hidden gate is red: ${requirement}`;
}
