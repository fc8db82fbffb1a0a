import type { Analysis } from "../answer/analysis-types.ts";
import { shownDenials } from "../answer/denial.ts";
import { mainErrorLine } from "../answer/error-lines.ts";
import type { AgentError, AgentOutcome, Evidence, IterationOutcome, Verdict } from "../journal/event.ts";
import { count } from "../text/count.ts";
import type { GateResult } from "./gate-rules.ts";

const MOST_REFUSED = 3;

/** The facts about a finished iteration. */
export type VerdictInput = {
  outcome: IterationOutcome;
  /** How the newest call ended, and whether the write timeout ended it. */
  call: { outcome: AgentOutcome; noWrites: boolean; error: AgentError | null };
  analysis: Analysis;
  evidence: Evidence;
  /** Results of the gates that ran after the answer. */
  gates: readonly GateResult[];
  /** The tree returned to an earlier state. */
  revisited: boolean;
};

/** The result of an iteration, as one rule and one sentence for the user. */
export function iterationVerdict(judged: VerdictInput): Verdict {
  const { outcome, call, evidence } = judged;
  if (outcome === "failed" && call.error === null)
    return { rule: "timed_out_idle", sentence: `${cutShortText(call)}, and nothing changed.` };
  if (outcome === "failed")
    return {
      rule: `failed_${call.error?.class}`,
      sentence: sentence(`The call failed: ${mainErrorLine(call.error?.message ?? "")}`),
    };
  if (outcome === "timed_out") {
    const kept = `but the work is kept: ${workDone(evidence)}.`;
    const denied = judged.analysis.has_permission_denials;
    return denied
      ? {
          rule: "permission_denied",
          sentence: `${deniedText(judged.analysis)}; ${cutShortText(call).toLowerCase()}, ${kept}`,
        }
      : { rule: "timed_out_productive", sentence: `${cutShortText(call)}, ${kept}${advice(judged)}` };
  }
  const { rule, sentence: result } = answered(judged);
  return { rule, sentence: result + advice(judged) + mismatch(judged) };
}

/** Claims are shown and compared, never believed; the first matching rule names the iteration. */
function answered({ analysis, evidence, gates, revisited }: VerdictInput): Verdict {
  const done = revisited ? `${workDone(evidence)}, back to an earlier state` : workDone(evidence);
  if (analysis.has_permission_denials)
    return { rule: "permission_denied", sentence: `${deniedText(analysis)}; ${done}.` };
  if (analysis.has_completion_signal)
    return {
      rule: analysis.exit_signal ? "exit_signal" : "done_signal",
      sentence: `The agent says that ${analysis.exit_signal ? "everything" : "its work"} is done${contradiction(analysis, evidence, gates)}; ${done}.`,
    };
  if (analysis.status === "BLOCKED")
    return {
      rule: "blocked",
      sentence: sentence(`The agent says that it is blocked: ${analysis.recommendation ?? "it gave no reason"}`),
    };
  if (analysis.asking_questions && !evidence.progress)
    return { rule: "question", sentence: "The agent asked a question; nothing changed." };
  if (analysis.is_test_only) return { rule: "test_only", sentence: `Only tests: ${done}.` };
  if (!evidence.progress) return { rule: "no_progress", sentence: "Nothing changed." };
  return { rule: revisited ? "returned" : "progress", sentence: `${revisited ? "In circles" : "Progress"}: ${done}.` };
}

function deniedText({ denied_commands }: Analysis): string {
  return `Denied: ${shownDenials(denied_commands).join(", ") || "a tool"}`;
}

function cutShortText({ outcome, noWrites }: VerdictInput["call"]): string {
  if (noWrites) return "Ended after too long without writing anything";
  return outcome === "idle" ? "Ended because it showed no sign of life" : "Timed out";
}

function contradiction(analysis: Analysis, { plan }: Evidence, gates: readonly GateResult[]): string {
  const open = plan?.blocking_unchecked ?? 0;
  const weakened = gates.filter((gate) => gate.weakened).length;
  const red = gates.filter((gate) => !gate.ok).length - weakened;
  const empty = gates.filter((gate) => gate.no_tests).length;
  const against = [
    ...(open === 0 ? [] : [`${count(open, "box of the plan is", "boxes of the plan are")} open`]),
    ...(red === 0 ? [] : [count(red, "gate fails", "gates fail")]),
    ...(weakened === 0 ? [] : ["its gates got weaker"]),
    ...(empty === 0 ? [] : [`${count(empty, "gate")} ran no tests`]),
    ...(analysis.tests_status === "FAILING" ? ["it says itself that tests fail"] : []),
  ];
  return against.length === 0 ? "" : `, but ${against.join(" and ")}`;
}

/** A refusal that is no denial, since the parts of the command are allowed: the agent's next prompt says to run them one by one. */
function advice({ analysis }: VerdictInput): string {
  if (!analysis.has_compound_command_limitation) return "";
  const { denied_commands: all } = analysis;
  const names = shownDenials(all.slice(0, MOST_REFUSED)).join(", ") || "a command";
  const more = all.length > MOST_REFUSED ? ` and ${all.length - MOST_REFUSED} more` : "";
  return ` Refused as one command, though its parts are allowed: ${names}${more}.`;
}

/** Tasks claimed in the status block beyond the ticked boxes of the plan. */
function mismatch({ analysis, evidence }: VerdictInput): string {
  const { tasks_completed: claimed } = analysis;
  const ticked = Math.max(evidence.plan_delta, 0);
  if (claimed === null || evidence.plan === null || evidence.plan.total === 0 || claimed <= ticked) return "";
  return ` It claims ${count(claimed, "task")}, and ticked ${ticked === 0 ? "no box" : count(ticked, "box", "boxes")}.`;
}

function workDone({ files_changed_count, commits, plan_delta }: Evidence): string {
  const parts = [
    ...(files_changed_count > 0 ? [count(files_changed_count, "file changed", "files changed")] : []),
    ...(commits.length > 0 ? [count(commits.length, "commit")] : []),
    ...(plan_delta > 0 ? [count(plan_delta, "box ticked", "boxes ticked")] : []),
    // A reset or an old commit takes ticks along, and their tasks are done again.
    ...(plan_delta < 0 ? [`${count(-plan_delta, "tick")} fewer in the plan`] : []),
  ];
  return parts.length === 0 ? "nothing changed" : parts.join(", ");
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
