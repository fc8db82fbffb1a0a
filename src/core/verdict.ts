import type { Analysis } from "./analysis-types.ts";
import type { AgentError, Evidence, IterationOutcome, Verdict } from "./event.ts";

/** What an iteration came to, in one rule and one sentence for a person. */
export function verdictOf(
  outcome: IterationOutcome,
  analysis: Analysis,
  evidence: Evidence,
  error: AgentError | null,
): Verdict {
  const did = workDone(evidence);
  if (outcome === "failed" && error === null)
    return { rule: "timed_out_idle", sentence: "Timed out, and nothing changed." };
  if (outcome === "failed")
    return {
      rule: `failed_${error?.class}`,
      sentence: sentence(`The call failed: ${firstLine(error?.message ?? "")}`),
    };
  if (outcome === "timed_out")
    return { rule: "timed_out_productive", sentence: `Timed out, but the work is kept: ${did}.` };
  if (analysis.has_permission_denials)
    return {
      rule: "permission_denied",
      sentence: `Denied: ${analysis.denied_commands.join(", ") || "a tool"}; ${did}.`,
    };
  if (analysis.exit_signal)
    return {
      rule: "exit_signal",
      sentence: `The agent says that everything is done${contradiction(evidence)}; ${did}.`,
    };
  if (analysis.status === "BLOCKED")
    return {
      rule: "blocked",
      sentence: sentence(`The agent says that it is blocked: ${analysis.recommendation ?? "it gave no reason"}`),
    };
  if (analysis.asking_questions && !evidence.progress)
    return { rule: "question", sentence: "The agent asked a question that nobody can answer; nothing changed." };
  if (analysis.is_test_only) return { rule: "test_only", sentence: `Only tests: ${did}.` };
  if (!evidence.progress) return { rule: "no_progress", sentence: "Nothing changed." };
  return { rule: "progress", sentence: `Progress: ${did}.` };
}

function contradiction({ plan }: Evidence): string {
  const open = plan?.blocking_unchecked ?? 0;
  return open === 0 ? "" : `, but ${counted(open, "box of the plan is", "boxes of the plan are")} open`;
}

function workDone(evidence: Evidence): string {
  const parts = [
    counted(evidence.files_changed_count, "file changed", "files changed"),
    counted(evidence.commits.length, "commit", "commits"),
    counted(evidence.plan_delta, "box ticked", "boxes ticked"),
  ].filter((part) => part !== "");
  return parts.length === 0 ? "nothing changed" : parts.join(", ");
}

function counted(n: number, one: string, many: string): string {
  return n <= 0 ? "" : `${n} ${n === 1 ? one : many}`;
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0]?.slice(0, 300) ?? "";
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
