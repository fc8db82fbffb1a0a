import type { Analysis } from "../answer/analysis-types.ts";
import { fingerprintLines, normaliseLine } from "../answer/fingerprint.ts";
import type { GateResult } from "../decide/gate-rules.ts";
import { recordTree, type TreeHistory } from "../decide/tree-history.ts";
import { MINUTE_MS } from "../durations.ts";
import type { AgentError, AgentOutcome, Evidence, IterationOutcome } from "../journal/event.ts";
import { wasCutShort } from "../journal/event.ts";
import type { TrendRow } from "../journal/state.ts";
import type { Settings } from "../settings/settings.ts";
import { inARow, STOP_REASONS } from "./stop-reasons.ts";
import { isOver } from "./stop-rule.ts";

/** Counters exist in every state; the other fields only where they have a meaning. */
export type CircuitBreaker = {
  no_progress: number;
  same_error: number;
  denials: number;
  read_only_timeouts: number;
  /** Fingerprint of the error lines that `same_error` counts. */
  fingerprint: string | null;
  total_opens: number;
  /** Number of the iteration that last made progress; 0 for none. */
  last_progress: number;
} & (
  | { state: "closed" }
  | { state: "half_open"; why: "cooldown" | "warning" }
  /** `since` in epoch ms. */
  | { state: "open"; since: number; reason: BreakerReason; sentence: string }
);

type CountedBreakerReason = "stagnation_detected" | "repeated_error" | "permission_denials" | "read_only_timeouts";

export type BreakerReason = CountedBreakerReason | "output_decline";

/** The effect of an iteration on the breaker; `breakerInput` derives it. */
export type BreakerInput = {
  /**
   * A question to the user and a request that the provider refused show nothing about progress: both freeze its
   * counter.
   */
  progress: "made" | "none" | "asked" | "refused";
  /** Fingerprint of the error lines; null for none. */
  errors: string | null;
  denied: boolean;
  /** Timed out without writing anything. */
  readOnlyTimeout: boolean;
  /** The answer is far shorter than the previous ones. */
  declined: boolean;
  /** Files changed again, but only back to an earlier state. */
  cycling?: boolean;
  /** A red gate makes whatever changed worthless. */
  red?: boolean;
};

/** Consecutive iterations that open the breaker; 0 switches a threshold off. */
export type BreakerThresholds = Pick<
  Settings,
  | "CB_NO_PROGRESS_THRESHOLD"
  | "CB_SAME_ERROR_THRESHOLD"
  | "CB_PERMISSION_DENIAL_THRESHOLD"
  | "CB_READ_ONLY_TIMEOUT_THRESHOLD"
>;

/** A finished iteration, as far as the breaker needs it. */
export type FinishedIteration = {
  outcome: IterationOutcome;
  /** How the newest call of the iteration ended. */
  call: AgentOutcome;
  error: AgentError | null;
  analysis: Analysis;
  evidence: Pick<Evidence, "progress" | "fingerprint" | "plan_delta" | "commits">;
  /** The iterations before this one, oldest first. */
  trend: readonly Pick<TrendRow, "output_length">[];
  gates?: readonly GateResult[];
  /** The states of the tree before this iteration; the last is the state at its start. */
  trees?: TreeHistory;
  settings: Pick<Settings, "PERMISSION_DENIAL_MODE" | "CB_OUTPUT_DECLINE_THRESHOLD" | "QUALITY_GATE_MODE">;
};

type OpenBreaker = Extract<CircuitBreaker, { state: "open" }>;
type Counters = Omit<Extract<CircuitBreaker, { state: "closed" }>, "state">;

const WARNING_AT = 2;
const DECLINE_ROWS = 3;

/** The breaker of a project before its first run, and after a reset. */
export function closedBreaker(): CircuitBreaker {
  return { state: "closed", ...noCounts(), total_opens: 0, last_progress: 0 };
}

/**
 * The effect of a finished iteration on the breaker; null for a failure of the infrastructure, which shows nothing
 * about the work.
 */
export function breakerInput({
  outcome,
  call,
  error,
  analysis,
  evidence,
  trend,
  gates,
  trees,
  settings,
}: FinishedIteration): BreakerInput | null {
  const timedOut = error === null && wasCutShort(call);
  if (outcome === "failed" && !isRefusal(error) && !timedOut) return null;
  const redGates = settings.QUALITY_GATE_MODE === "circuit-breaker" ? redCommands(gates ?? []) : [];
  const { cycling } = recordTree(trees ?? [], evidence);
  const progress = progressOf(error, analysis, evidence.progress, redGates.length > 0 || cycling);
  return {
    progress,
    errors: overcame(evidence, gates ?? [])
      ? null
      : fingerprintLines(errorLines(error, [...analysis.errors, ...redGates])),
    denied: settings.PERMISSION_DENIAL_MODE === "threshold" && analysis.has_permission_denials,
    readOnlyTimeout: timedOut && !evidence.progress,
    declined: progress === "none" && !timedOut && hasDeclined(analysis, trend, settings.CB_OUTPUT_DECLINE_THRESHOLD),
    cycling,
    red: redGates.length > 0,
  };
}

/**
 * The breaker after an iteration (product.md "Stuck", "Circuit breaker" of the fine print).
 * @param outcome null for a failure of the infrastructure, which moves nothing
 * @param at the iteration's number, and when it ended in epoch ms
 */
export function stepBreaker(
  breaker: CircuitBreaker,
  outcome: BreakerInput | null,
  { thresholds, number, now }: { thresholds: BreakerThresholds; number: number; now: number },
): CircuitBreaker {
  if (outcome === null || breaker.state === "open") return breaker;
  const counters = count(breaker, outcome, number);
  if (breaker.state === "half_open" && breaker.why === "cooldown")
    return afterCooldown(counters, outcome, thresholds, now);
  const reason = tripReason(counters, outcome, thresholds);
  if (reason !== null) return open(counters, reason, outcome, now);
  const warn = thresholds.CB_NO_PROGRESS_THRESHOLD > 0 && counters.no_progress >= WARNING_AT;
  return warn ? { state: "half_open", why: "warning", ...counters } : { state: "closed", ...counters };
}

/**
 * The breaker at the start of a run. An OPEN one closes at once with `autoReset`, else it gets one iteration to prove
 * itself after the cooldown. One that opened in the future (the clock was set back), or at an unknown time, stays OPEN.
 * @param now epoch ms
 */
export function breakerAtStart(
  breaker: CircuitBreaker,
  { cooldownMinutes, autoReset }: { cooldownMinutes: number; autoReset: boolean },
  now: number,
): CircuitBreaker {
  if (breaker.state !== "open") return breaker;
  const counters = countersOf(breaker);
  if (autoReset) return { state: "closed", ...counters, ...noCounts() };
  const cooled = now - breaker.since >= cooldownMinutes * MINUTE_MS;
  return cooled ? { state: "half_open", why: "cooldown", ...counters } : breaker;
}

/** The errors stopped nothing: a test that is written first fails in each iteration, and in the same words. */
function overcame({ plan_delta, commits }: FinishedIteration["evidence"], gates: readonly GateResult[]): boolean {
  if (gates.some(({ ok }) => !ok)) return false;
  return plan_delta > 0 || (commits.length > 0 && gates.length > 0);
}

function progressOf(
  error: AgentError | null,
  analysis: Analysis,
  made: boolean,
  worthless: boolean,
): BreakerInput["progress"] {
  if (worthless) return "none";
  if (made) return "made";
  if (isRefusal(error)) return "refused";
  return analysis.asking_questions ? "asked" : "none";
}

/** The provider refused the request, or a conversation that grew too long within the call. */
function isRefusal(error: AgentError | null): boolean {
  return error?.class === "request" || error?.class === "context";
}

/** For an answer without error lines, the message of a refused request replaces them. */
function errorLines(error: AgentError | null, lines: readonly string[]): readonly string[] {
  return lines.length > 0 || error === null ? lines : [normaliseLine(error.message)];
}

/** Far shorter than the mean of the previous three. "Everything was already done" may be short; other rules end it. */
function hasDeclined(analysis: Analysis, trend: FinishedIteration["trend"], threshold: number): boolean {
  const rows = trend.slice(-DECLINE_ROWS);
  if (threshold === 0 || rows.length < DECLINE_ROWS || analysis.has_completion_signal) return false;
  const mean = rows.reduce((sum, row) => sum + row.output_length, 0) / rows.length;
  return analysis.output_length * 100 < mean * (100 - threshold);
}

function redCommands(gates: readonly GateResult[]): string[] {
  return gates.filter((gate) => !gate.ok).map((gate) => `gate: ${gate.command}`);
}

function count(breaker: CircuitBreaker, outcome: BreakerInput, number: number): Counters {
  const before = countersOf(breaker);
  const made = outcome.progress === "made";
  return {
    no_progress: made ? 0 : before.no_progress + (outcome.progress === "none" ? 1 : 0),
    same_error: outcome.errors === null ? 0 : outcome.errors === before.fingerprint ? before.same_error + 1 : 1,
    denials: outcome.denied ? before.denials + 1 : 0,
    read_only_timeouts: outcome.readOnlyTimeout ? before.read_only_timeouts + 1 : 0,
    fingerprint: outcome.errors,
    total_opens: before.total_opens,
    last_progress: made ? number : before.last_progress,
  };
}

/** One iteration decides: progress closes, a question postpones the decision, anything else opens. */
function afterCooldown(
  counters: Counters,
  outcome: BreakerInput,
  thresholds: BreakerThresholds,
  now: number,
): CircuitBreaker {
  if (outcome.progress === "made") return { state: "closed", ...counters };
  if (outcome.progress === "asked") return { state: "half_open", why: "cooldown", ...counters };
  const reason = tripReason(counters, outcome, thresholds);
  return reason === null
    ? { ...open(counters, "stagnation_detected", outcome, now), sentence: NO_PROOF }
    : open(counters, reason, outcome, now);
}

const NO_PROOF = "The one iteration after the cooldown made no progress.";

/** The first rule that opens the breaker, if any. */
function tripReason(counters: Counters, outcome: BreakerInput, thresholds: BreakerThresholds): BreakerReason | null {
  const over = (reason: CountedBreakerReason) => isOver(STOP_REASONS[reason].rule, { breaker: counters }, thresholds);
  if (over("permission_denials")) return "permission_denials";
  if (over("read_only_timeouts")) return "read_only_timeouts";
  if (over("stagnation_detected")) return "stagnation_detected";
  if (outcome.cycling === true && thresholds.CB_NO_PROGRESS_THRESHOLD > 0) return "stagnation_detected";
  if (over("repeated_error")) return "repeated_error";
  return outcome.declined ? "output_decline" : null;
}

function open(counters: Counters, reason: BreakerReason, outcome: BreakerInput, now: number): OpenBreaker {
  const opened = { ...counters, total_opens: counters.total_opens + 1 };
  return { state: "open", since: now, reason, sentence: describeTrip(reason, counters, outcome), ...opened };
}

const CYCLE = "The work goes in circles: files change, but for the second time they are back in an earlier state.";

function describeTrip(reason: BreakerReason, counters: Counters, { cycling, red }: BreakerInput): string {
  if (reason === "output_decline") return "The answer shrank far below the three before it, and nothing changed.";
  if (reason === "stagnation_detected" && cycling === true) return CYCLE;
  if (reason === "stagnation_detected" && red === true)
    return `No progress in ${inARow(counters.no_progress)}: with QUALITY_GATE_MODE=circuit-breaker a red gate is none.`;
  const { rule } = STOP_REASONS[reason];
  return rule.sentence({ used: rule.used({ breaker: counters }) });
}

function countersOf(breaker: CircuitBreaker): Counters {
  const { no_progress, same_error, denials, read_only_timeouts, fingerprint, total_opens, last_progress } = breaker;
  return { no_progress, same_error, denials, read_only_timeouts, fingerprint, total_opens, last_progress };
}

function noCounts(): Omit<Counters, "total_opens" | "last_progress"> {
  return { no_progress: 0, same_error: 0, denials: 0, read_only_timeouts: 0, fingerprint: null };
}
