import type { Mask } from "../secrets/mask.ts";
import { stripAnsi } from "../text/plain-text.ts";
import { clipCodePoints } from "../text/truncate.ts";
import { type AgentQuestion, findQuestions } from "./agent-questions.ts";
import type { Analysis, UsageLimit } from "./analysis-types.ts";
import { type FieldClaims, fieldClaims } from "./answer-fields.ts";
import { type CollectedOutput, finalText } from "./collected-output.ts";
import { type CompletionPhrase, completionPhrase, INDICATOR_CONFIDENCE } from "./completion-phrase.ts";
import { denialName, isCompoundAdvice } from "./denial.ts";
import { addErrors, type ErrorLines } from "./error-lines.ts";
import { limitFromError, limitOfError } from "./error-patterns.ts";
import { fingerprintLines } from "./fingerprint.ts";
import { extractProse } from "./prose.ts";
import { readStatus, type StatusBlock } from "./status-block.ts";
import { isTestFile } from "./test-file.ts";

export type AnalyseOptions = {
  /** The patterns of ALLOWED_TOOLS, which distinguish compound commands from denials. */
  allowedTools: readonly string[];
  /** Paths that the iteration changed; if null (unknown), the claim alone decides. */
  filesChanged?: readonly string[] | null;
  /** Epoch ms, for reset times that depend on the clock; without it they are ignored. */
  now?: number;
  /** IANA name of the user's time zone, for reset times without one; absent means UTC. */
  zone?: string;
  /** Takes secrets out of the error lines, as the journal that has the last ones does; absent: they have none. */
  mask?: Mask;
};

/** The parts of an answer that decide the verdicts. */
export type AnswerParts = {
  block: StatusBlock | null;
  claims: FieldClaims;
  phrase: CompletionPhrase | null;
  questions: readonly AgentQuestion[];
  errors: ErrorLines;
  /** First line of the agent's own text, or the summary in a JSON field. */
  summary: string;
};

/** What each progress indicator adds to the confidence, which without an exit signal stays below certainty. */
const INDICATOR_BONUS = 5;
const NOT_CERTAIN = 99;
const STUCK_LINES = 5;
const STUCK_ITERATIONS = 3;
const SUMMARY_CHARS = 200;

/** Analyses one answer by the rules of product.md "Done", "Stuck", "Limited" and "Denied". Total and linear. */
export function analyse(output: CollectedOutput, previous: Analysis | null, options: AnalyseOptions): Analysis {
  const answer = parseAnswer(output);
  return {
    ...completionOf(answer),
    ...reportOf(answer, options.filesChanged ?? null),
    ...errorsOf(answer, previous, options.mask),
    ...denialsOf(output, options.allowedTools),
    asking_questions: answer.questions.length > 0,
    question_count: answer.questions.length,
    output_length: Math.max(output.textLength, finalText(output).length),
    is_error: output.error !== null || output.finished?.ok === false,
    usage_limit: limitOf(output, options),
  };
}

/** Parses the status block, claims, phrases, questions and error lines of the final answer. */
export function parseAnswer(output: CollectedOutput): AnswerParts {
  const { block, prose } = readStatus(stripAnsi(finalText(output)));
  const own = extractProse(prose);
  const claims = fieldClaims(output.fields);
  const first = own.findIndex((line) => line.trim() !== "");
  return {
    block,
    claims,
    phrase: completionPhrase(own),
    questions: findQuestions(own, prose),
    errors: addErrors(output.errors, prose.join("\n")),
    summary: clipCodePoints((claims.summary ?? prose[first] ?? "").trim(), SUMMARY_CHARS),
  };
}

/**
 * The block wins over equivalent JSON fields; an explicit EXIT_SIGNAL: false beats STATUS: COMPLETE. Who is blocked may ask for the
 * end of the loop, too: that is no claim that the work is done.
 */
function completionOf({ block, claims, phrase }: AnswerParts) {
  const exit = block?.exit_signal ?? claims.exit_signal;
  const status = block?.status ?? claims.status;
  const exit_signal = exit === true && status !== "BLOCKED";
  const has_completion_signal = exit_signal || (status === "COMPLETE" && exit !== false);
  const confidence = phrase?.confidence ?? 0;
  const stated = has_completion_signal ? 90 : Math.max(confidence, claims.confidence ?? 0);
  const raised = stated + INDICATOR_BONUS * claims.progress_indicators;
  return {
    status,
    exit_signal,
    exit_signal_explicit: exit !== null,
    has_completion_signal,
    is_completion_indicator: exit_signal || status === "COMPLETE" || confidence >= INDICATOR_CONFIDENCE,
    confidence_score: exit_signal ? 100 : Math.max(stated, Math.min(raised, NOT_CERTAIN)),
  };
}

function reportOf({ block, claims, summary }: AnswerParts, filesChanged: readonly string[] | null) {
  const work_type = block?.work_type ?? claims.work_type;
  return {
    work_type,
    is_test_only: work_type === "TESTING" && (filesChanged ?? []).every(isTestFile),
    tasks_completed: block?.tasks_completed ?? null,
    tests_status: block?.tests_status ?? null,
    recommendation: block?.recommendation ?? null,
    files_modified: block?.files_modified ?? claims.files_modified ?? 0,
    work_summary: summary,
  };
}

function errorsOf({ errors, claims }: AnswerParts, previous: Analysis | null, mask?: Mask) {
  const lines = errors.lines.map(({ normalised }) => mask?.(normalised) ?? normalised);
  const same = lines.length > 0 && fingerprintLines(lines) === fingerprintLines(previous?.errors ?? []);
  const same_error_count = lines.length === 0 ? 0 : same ? (previous?.same_error_count ?? 0) + 1 : 1;
  const error_count = Math.max(errors.count, claims.error_count);
  return {
    errors: lines,
    error_count,
    same_error_count,
    is_stuck: error_count > STUCK_LINES || same_error_count >= STUCK_ITERATIONS,
  };
}

function denialsOf({ denials, denialCount }: CollectedOutput, allowedTools: readonly string[]) {
  const compound_command_count = denials.filter((denial) => isCompoundAdvice(denial, allowedTools)).length;
  const has_permission_denials = denialCount > compound_command_count;
  return {
    has_permission_denials,
    permission_denial_count: denialCount,
    denied_commands: denials.map(denialName),
    has_compound_command_limitation: compound_command_count > 0 && !has_permission_denials,
    compound_command_count,
  };
}

/** Structured data decides; the wording of the final error only fills gaps (product.md "Limited"). */
function limitOf({ limit, error }: CollectedOutput, options: AnalyseOptions): UsageLimit | null {
  const read = error?.class === "limit" ? limitOfError : limitFromError;
  const stated = error === null ? null : read(error.message, options.now ?? null, options.zone);
  if (limit !== null) return { ...limit, resets_at: limit.resets_at ?? stated?.resets_at ?? null };
  return error?.class === "limit" || error?.class === "infrastructure" ? stated : null;
}
