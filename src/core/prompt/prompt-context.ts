import { wasCutShort } from "../journal/event.ts";
import type { State } from "../journal/state.ts";
import { takeableTasks } from "../needs/questions.ts";
import type { ParsedPlan } from "../plan/fix-plan.ts";
import type { CircuitBreaker } from "../stop/circuit-breaker.ts";
import { count } from "../text/count.ts";
import { singleLine } from "../text/plain-text.ts";
import { truncate } from "../text/truncate.ts";
import { handOverNote } from "./hand-over.ts";

export type ContextInput = {
  /** Number of the next iteration. */
  number: number;
  plan: ParsedPlan | null;
  state: State;
  /** The call resumes the session of the previous one. */
  resumed: boolean;
  projectName: string;
  /** More of the last ten iterations were test-only than the setting allows. */
  isTestHeavy?: boolean;
};

/** Maximum length for a driver's context channel (product.md "What the agent is told"), in UTF-16 units. */
export const CONTEXT_MAX_CHARS = 500;
const NAME_CHARS = 40;
const TASK_CHARS = 110;
const LAST_CHARS = 300;

/**
 * Facts for the agent about the loop around it. Some CLIs take them as an argument, which every user of the machine can read:
 * so they are ralph's own sentences and figures, and no word of an answer or a plan (`workNote` has those).
 */
export function loopContext(input: ContextInput): string {
  const facts = [
    beginning(input),
    remaining(input),
    breakerFact(input.state.breaker),
    guidance(input.state, input.isTestHeavy === true),
  ].filter((fact) => fact !== "");
  return truncate(facts.join(" "), CONTEXT_MAX_CHARS);
}

/**
 * What the last call came to, and the task at hand, for the notes after the prompt; empty where the agent knows it from its
 * conversation, and at the start: the prompt then stays as the user wrote it.
 */
export function workNote(state: State, plan: ParsedPlan | null, resumed: boolean): string {
  const last = lastFact(state, resumed);
  return last === "" ? "" : [last, nextTask(plan, state)].filter((fact) => fact !== "").join("\n");
}

function beginning({ number, projectName, resumed }: ContextInput): string {
  const name = truncate(singleLine(projectName), NAME_CHARS);
  const project = name === "" ? "" : ` on ${name}`;
  return `Iteration ${number} of an unattended loop${project}${resumed ? ", same conversation" : ""}.`;
}

function remaining({ plan, state }: ContextInput): string {
  if (plan === null) return "";
  const [next] = takeableTasks(plan.tasks, state);
  const left = plan.counts.blocking_unchecked;
  if (next !== undefined && left > 0) return `Tasks left: ${left}.`;
  return plan.counts.checked > 0 ? "No required task of the plan is open." : "";
}

function nextTask(plan: ParsedPlan | null, state: State): string {
  if (plan === null || plan.counts.blocking_unchecked === 0) return "";
  const [next] = takeableTasks(plan.tasks, state);
  if (next === undefined) return "";
  return `Next task of the plan: ${sentence(truncate(singleLine(next.text), TASK_CHARS))}`;
}

function breakerFact(breaker: CircuitBreaker): string {
  if (breaker.state !== "half_open") return "";
  return breaker.why === "cooldown"
    ? "Circuit breaker HALF_OPEN: without a real change now the loop stops."
    : `Circuit breaker HALF_OPEN: ${count(breaker.no_progress, "iteration")} changed nothing; change something now.`;
}

/** The most urgent piece of advice after the last iteration. */
function guidance({ last, last_call, settings }: State, testsTooMuch: boolean): string {
  const analysis = last?.analysis;
  if (last_call !== null && wasCutShort(last_call.outcome))
    return "The last call ran out of time: take a smaller step, and write files early.";
  if (analysis === undefined) return "";
  // What to do about a task that was set aside stands in a note of its own.
  if (settings.ON_QUESTION === "park" && (analysis.asking_questions || analysis.status === "BLOCKED")) return "";
  if (analysis.asking_questions)
    return "You asked a question, but nobody reads along: choose the most careful way yourself, say so, and go on.";
  if (analysis.has_permission_denials)
    return "Something you tried was not permitted: reach the goal by permitted tools.";
  if (analysis.status === "BLOCKED") return "You said that you are blocked: look for another way, or another task.";
  if (analysis.is_stuck) return "The same errors keep coming: find their cause before you try again.";
  return testsTooMuch ? "Many iterations only ran tests: work on the next open task." : "";
}

function lastFact({ last, last_call, session }: State, resumed: boolean): string {
  if (last === null) return "";
  if (last.outcome === "failed") {
    const message = singleLine(last_call?.error?.message ?? "");
    return message === "" ? "" : `The last call failed: ${sentence(truncate(message, LAST_CHARS))}`;
  }
  if (resumed || handOverNote({ session, last }) !== "") return "";
  const summary = singleLine(last.analysis.work_summary);
  return summary === "" ? "" : `Last time: ${sentence(truncate(summary, LAST_CHARS))}`;
}

function sentence(text: string): string {
  return /[.!?…:]$/.test(text) ? text : `${text}.`;
}
