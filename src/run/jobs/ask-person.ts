import type { AnswerParts } from "../../core/answer/analysis.ts";
import type { Analysis } from "../../core/answer/analysis-types.ts";
import type { Evidence } from "../../core/journal/event.ts";
import { findAsk } from "../../core/needs/ask.ts";
import { isAskedAgain } from "../../core/needs/questions.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import type { Run } from "../run.ts";

/** Records what the answer asks of a person. A task of `ralph "TEXT"` is none of the plan's. */
export function askPerson(
  { append, state, settings }: Run,
  {
    answer,
    analysis,
    evidence,
    task: atHand,
  }: { answer: AnswerParts; analysis: Analysis; evidence: Evidence; task: string | null },
): void {
  const task = state().started_by === "task" ? null : atHand;
  const ask = findAsk(answer, analysis, evidence);
  const isTicked = task !== null && evidence.plan_ticked?.includes(task) === true;
  // Beside work on another task, a question that was asked before is no reason to set that aside too.
  const isAgain = ask !== null && evidence.progress && isAskedAgain(ask.text, state().inbox, state().settings);
  if (ask !== null && !isAgain) {
    // A question after its task is ticked is about what comes next.
    const parked = settings.ON_QUESTION === "park" && !isTicked;
    append({ type: "question_asked", ...ask, task: isTicked ? null : task, parked });
  }
  if (analysis.has_permission_denials && !isTicked)
    append({ type: "question_asked", kind: "denied", task, text: deniedText(analysis), parked: false });
}

function deniedText({ denied_commands }: Analysis): string {
  return [...new Set(denied_commands.map(singleLine))].join(", ") || "a tool";
}
