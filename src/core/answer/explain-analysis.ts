import { type AnswerParts, parseAnswer } from "./analysis.ts";
import type { Analysis } from "./analysis-types.ts";
import type { CollectedOutput } from "./collected-output.ts";
import { INDICATOR_CONFIDENCE } from "./completion-phrase.ts";
import { shownDenials } from "./denial.ts";
import type { StatusBlock } from "./status-block.ts";

/** Explains the analysis in sentences: each verdict with its line and its rule. */
export function explain(analysis: Analysis, output: CollectedOutput): string[] {
  const answer = parseAnswer(output);
  return [
    doneSentence(analysis, answer),
    indicatorSentence(analysis, answer),
    ...statusSentences(analysis, answer),
    ...testSentences(analysis),
    ...errorSentences(analysis, answer),
    ...denialSentences(analysis),
    ...questionSentences(answer),
    ...failureSentences(analysis, output),
  ];
}

function doneSentence(
  { has_completion_signal, exit_signal, status, exit_signal_explicit }: Analysis,
  answer: AnswerParts,
) {
  const where = source(answer);
  if (exit_signal) return `Done signal: yes, EXIT_SIGNAL is true (${where}).`;
  if (has_completion_signal) return `Done signal: yes, STATUS is COMPLETE and EXIT_SIGNAL is missing (${where}).`;
  if (status === "COMPLETE")
    return `Done signal: no, the explicit EXIT_SIGNAL: false beats STATUS: COMPLETE (${where}).`;
  if (answer.block?.exit_signal ?? answer.claims.exit_signal)
    return `Done signal: no, STATUS: BLOCKED beats EXIT_SIGNAL: true (${where}).`;
  if (exit_signal_explicit) return `Done signal: no, EXIT_SIGNAL is false (${where}).`;
  if (answer.block !== null) return `Done signal: no, a missing EXIT_SIGNAL is false (${where}).`;
  return "Done signal: no, the final answer has no status block, and words alone never end a run.";
}

function indicatorSentence(analysis: Analysis, { phrase }: AnswerParts): string {
  if (!analysis.is_completion_indicator && phrase === null) return "Completion indicator: no.";
  const phraseText =
    phrase === null ? "" : `"${phrase.phrase}" in line ${phrase.line} has confidence ${phrase.confidence}`;
  if (!analysis.is_completion_indicator)
    return `Completion indicator: no, ${phraseText}, under ${INDICATOR_CONFIDENCE}.`;
  if (analysis.exit_signal) return "Completion indicator: yes, by EXIT_SIGNAL.";
  return `Completion indicator: yes, ${analysis.status === "COMPLETE" ? "by STATUS" : phraseText}.`;
}

function statusSentences({ status, recommendation }: Analysis, { block }: AnswerParts): string[] {
  if (status === null && block === null) return [];
  const advice = recommendation === null ? "" : ` It recommends: ${recommendation}`;
  return [`Status: ${status ?? "none of the listed words"}.${advice}`];
}

function testSentences({ work_type, is_test_only }: Analysis): string[] {
  if (is_test_only)
    return ["Test-only: yes, WORK_TYPE is TESTING and no other file than tests is known to have changed."];
  return work_type === "TESTING" ? ["Test-only: no, other files than tests changed."] : [];
}

function errorSentences({ errors, error_count, is_stuck, same_error_count }: Analysis, answer: AnswerParts): string[] {
  const { lines, count } = answer.errors;
  const first = lines[0];
  const claimed = answer.claims.error_count > count ? [`Errors: ${error_count}, as the answer's fields say.`] : [];
  const found =
    first === undefined
      ? claimed
      : [`Error lines: ${count}, ${errors.length} of them different. The first: ${first.raw}`, ...claimed];
  if (!is_stuck) return found;
  const why =
    same_error_count >= 3 ? `the same error lines in ${same_error_count} iterations in a row` : "more than five errors";
  return [...found, `Stuck: yes, ${why}.`];
}

function denialSentences(analysis: Analysis): string[] {
  const { denied_commands, permission_denial_count, compound_command_count, has_permission_denials } = analysis;
  if (permission_denial_count === 0) return [];
  const listed = shownDenials(denied_commands.slice(0, 5)).join(", ");
  if (!has_permission_denials) {
    return [`Denied: no, every part of ${listed} is allowed: the agent should run the parts one by one.`];
  }
  const advice = compound_command_count === 0 ? "" : ` (${compound_command_count} of them only as compound commands)`;
  return [`Denied: yes, ${permission_denial_count} by the agent's CLI${advice}: ${listed}.`];
}

function questionSentences({ questions }: AnswerParts): string[] {
  const first = questions[0];
  return first === undefined
    ? []
    : [`Questions: ${questions.length}, the first in line ${first.line}: ${first.written}`];
}

function failureSentences({ is_error, usage_limit }: Analysis, { error }: CollectedOutput): string[] {
  const failed = is_error ? [`Failed: yes${error === null ? "." : `, ${error.class}: ${error.message}`}`] : [];
  if (usage_limit === null) return failed;
  const until = usage_limit.resets_at === null ? "no reset time is stated" : `it ends at ${usage_limit.resets_at}`;
  return [...failed, `Limit: ${usage_limit.kind}, ${until}. ${usage_limit.message}`];
}

function source({ block }: AnswerParts): string {
  return block === null ? "fields of the answer" : `status block in ${lineRange(block)} of the final answer`;
}

function lineRange({ first_line, last_line }: StatusBlock): string {
  return first_line === last_line ? `line ${first_line}` : `lines ${first_line} to ${last_line}`;
}
