import type { Analysis } from "../answer/analysis-types.ts";
import { fingerprintOf, normaliseLine } from "../answer/fingerprint.ts";
import type { GateResult } from "../decide/completion.ts";
import { type Trees, turnOf } from "../decide/cycle.ts";
import { MINUTE_MS } from "../durations.ts";
import type { AgentError, AgentOutcome, Evidence, IterationOutcome } from "../journal/event.ts";
import { cutShort } from "../journal/event.ts";
import type { TrendRow } from "../journal/state.ts";
import type { Settings } from "../settings/settings.ts";

/** Counters exist in every state; the rest only where it means something. */
export type BreakerState = {
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

export type BreakerReason =
  | "stagnation_detected"
  | "repeated_error"
  | "output_decline"
  | "permission_denials"
  | "read_only_timeouts";

/** What an iteration tells the breaker; `outcomeOf` reads it off. */
export type Outcome = {
  /** A question to nobody and a request that the provider refused say nothing about progress: both freeze its counter. */
  progress: "made" | "none" | "asked" | "refused";
  /** Fingerprint of the error lines; null for none. */
  errors: string | null;
  denied: boolean;
  /** Timed out without having written anything. */
  readOnlyTimeout: boolean;
  /** The answer shrank far below those before it. */
  declined: boolean;
  /** Files changed, but only to what they had been before, again. */
  cycles?: boolean;
};

/** Iterations in a row that open the breaker; 0 switches a threshold off. */
export type Thresholds = Pick<
  Settings,
  | "CB_NO_PROGRESS_THRESHOLD"
  | "CB_SAME_ERROR_THRESHOLD"
  | "CB_PERMISSION_DENIAL_THRESHOLD"
  | "CB_READ_ONLY_TIMEOUT_THRESHOLD"
>;

/** A finished iteration, as far as the breaker looks at it. */
export type Finished = {
  outcome: IterationOutcome;
  /** How the newest call of the iteration ended. */
  call: AgentOutcome;
  error: AgentError | null;
  analysis: Analysis;
  evidence: Pick<Evidence, "progress" | "fingerprint" | "plan_delta">;
  /** The iterations before this one, oldest first. */
  trend: readonly Pick<TrendRow, "output_length">[];
  gates?: readonly GateResult[];
  /** The states of the tree before this iteration, the one it began with last. */
  trees?: Trees;
  settings: Pick<Settings, "PERMISSION_DENIAL_MODE" | "CB_OUTPUT_DECLINE_THRESHOLD" | "QUALITY_GATE_MODE">;
};

type OpenBreaker = Extract<BreakerState, { state: "open" }>;
type Counters = Omit<Extract<BreakerState, { state: "closed" }>, "state">;

const WARNING_AT = 2;
const DECLINE_ROWS = 3;

/** The breaker of a project that has not run yet, and after a reset. */
export function closedBreaker(): BreakerState {
  return { state: "closed", ...noCounts(), total_opens: 0, last_progress: 0 };
}

/** What a finished iteration tells the breaker; null for a failure of the infrastructure, which says nothing of the work. */
export function outcomeOf({
  outcome,
  call,
  error,
  analysis,
  evidence,
  trend,
  gates,
  trees,
  settings,
}: Finished): Outcome | null {
  const timedOut = error === null && cutShort(call);
  if (outcome === "failed" && error?.class !== "request" && !timedOut) return null;
  const redGates = settings.QUALITY_GATE_MODE === "circuit-breaker" ? redCommands(gates ?? []) : [];
  const { cycles } = turnOf(trees ?? [], evidence);
  const progress = progressOf(error, analysis, evidence.progress, redGates.length > 0 || cycles);
  return {
    progress,
    errors: fingerprintOf(errorLines(error, [...analysis.errors, ...redGates])),
    denied: settings.PERMISSION_DENIAL_MODE === "threshold" && analysis.has_permission_denials,
    readOnlyTimeout: timedOut && !evidence.progress,
    declined: progress === "none" && !timedOut && hasDeclined(analysis, trend, settings.CB_OUTPUT_DECLINE_THRESHOLD),
    cycles,
  };
}

/**
 * The breaker after an iteration (product.md 3, "Breaker" of the fine print).
 * @param outcome null for a failure of the infrastructure, which moves nothing
 * @param at the iteration's number, and when it ended in epoch ms
 */
export function step(
  breaker: BreakerState,
  outcome: Outcome | null,
  { thresholds, number, now }: { thresholds: Thresholds; number: number; now: number },
): BreakerState {
  if (outcome === null || breaker.state === "open") return breaker;
  const counters = count(breaker, outcome, number);
  if (breaker.state === "half_open" && breaker.why === "cooldown")
    return afterCooldown(counters, outcome, thresholds, now);
  const reason = tripped(counters, outcome, thresholds);
  if (reason !== null) return open(counters, reason, outcome, now);
  const warn = thresholds.CB_NO_PROGRESS_THRESHOLD > 0 && counters.no_progress >= WARNING_AT;
  return warn ? { state: "half_open", why: "warning", ...counters } : { state: "closed", ...counters };
}

/**
 * The breaker as a run finds it. An OPEN one closes at once with `autoReset`, else gets one iteration to prove itself
 * after the cooldown. One that opened in the future (the clock was set back), or at no known time, stays OPEN.
 * @param now epoch ms
 */
export function atStart(
  breaker: BreakerState,
  { cooldownMinutes, autoReset }: { cooldownMinutes: number; autoReset: boolean },
  now: number,
): BreakerState {
  if (breaker.state !== "open") return breaker;
  const counters = countersOf(breaker);
  if (autoReset) return { state: "closed", ...counters, ...noCounts() };
  const cooled = now - breaker.since >= cooldownMinutes * MINUTE_MS;
  return cooled ? { state: "half_open", why: "cooldown", ...counters } : breaker;
}

function progressOf(
  error: AgentError | null,
  analysis: Analysis,
  made: boolean,
  worthless: boolean,
): Outcome["progress"] {
  if (worthless) return "none";
  if (made) return "made";
  if (error?.class === "request") return "refused";
  return analysis.asking_questions ? "asked" : "none";
}

/** The words of a refused request stand in where the answer has no error lines. */
function errorLines(error: AgentError | null, lines: readonly string[]): readonly string[] {
  return lines.length > 0 || error === null ? lines : [normaliseLine(error.message)];
}

/** Far shorter than the mean of the three before; "everything was already done" may be short, it ends by other rules. */
function hasDeclined(analysis: Analysis, trend: Finished["trend"], threshold: number): boolean {
  const rows = trend.slice(-DECLINE_ROWS);
  if (threshold === 0 || rows.length < DECLINE_ROWS || analysis.has_completion_signal) return false;
  const mean = rows.reduce((sum, row) => sum + row.output_length, 0) / rows.length;
  return analysis.output_length * 100 < mean * (100 - threshold);
}

function redCommands(gates: readonly GateResult[]): string[] {
  return gates.filter((gate) => !gate.ok).map((gate) => `gate: ${gate.command}`);
}

function count(breaker: BreakerState, outcome: Outcome, number: number): Counters {
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

/** One iteration decides: progress closes, a question leaves it open to the next, anything else opens. */
function afterCooldown(counters: Counters, outcome: Outcome, thresholds: Thresholds, now: number): BreakerState {
  if (outcome.progress === "made") return { state: "closed", ...counters };
  if (outcome.progress === "asked") return { state: "half_open", why: "cooldown", ...counters };
  const reason = tripped(counters, outcome, thresholds);
  return reason === null
    ? { ...open(counters, "stagnation_detected", outcome, now), sentence: NO_PROOF }
    : open(counters, reason, outcome, now);
}

const NO_PROOF = "The one iteration after the cooldown made no progress.";

/** The first rule that opens the breaker. */
function tripped(counters: Counters, outcome: Outcome, thresholds: Thresholds): BreakerReason | null {
  const over = (counter: number, threshold: number) => threshold > 0 && counter >= threshold;
  if (over(counters.denials, thresholds.CB_PERMISSION_DENIAL_THRESHOLD)) return "permission_denials";
  if (over(counters.read_only_timeouts, thresholds.CB_READ_ONLY_TIMEOUT_THRESHOLD)) return "read_only_timeouts";
  if (over(counters.no_progress, thresholds.CB_NO_PROGRESS_THRESHOLD)) return "stagnation_detected";
  if (outcome.cycles === true && thresholds.CB_NO_PROGRESS_THRESHOLD > 0) return "stagnation_detected";
  if (over(counters.same_error, thresholds.CB_SAME_ERROR_THRESHOLD)) return "repeated_error";
  return outcome.declined ? "output_decline" : null;
}

function open(counters: Counters, reason: BreakerReason, outcome: Outcome, now: number): OpenBreaker {
  const opened = { ...counters, total_opens: counters.total_opens + 1 };
  const cycling = reason === "stagnation_detected" && outcome.cycles === true;
  return { state: "open", since: now, reason, sentence: cycling ? CYCLE : sentenceOf(reason, counters), ...opened };
}

const CYCLE =
  "The work goes in circles: files change, but for the second time they are back in a state that they had before.";

function sentenceOf(reason: BreakerReason, counters: Counters): string {
  switch (reason) {
    case "permission_denials":
      return `The agent was denied permission in ${inARow(counters.denials)}.`;
    case "read_only_timeouts":
      return `The agent timed out without writing anything in ${inARow(counters.read_only_timeouts)}.`;
    case "stagnation_detected":
      return `Nothing changed in ${inARow(counters.no_progress)}.`;
    case "repeated_error":
      return `The same error came back in ${inARow(counters.same_error)}.`;
    case "output_decline":
      return "The answer shrank far below the three before it, and nothing changed.";
  }
}

function inARow(n: number): string {
  return n === 1 ? "the last iteration" : `${n} iterations in a row`;
}

function countersOf(breaker: BreakerState): Counters {
  const { no_progress, same_error, denials, read_only_timeouts, fingerprint, total_opens, last_progress } = breaker;
  return { no_progress, same_error, denials, read_only_timeouts, fingerprint, total_opens, last_progress };
}

function noCounts(): Omit<Counters, "total_opens" | "last_progress"> {
  return { no_progress: 0, same_error: 0, denials: 0, read_only_timeouts: 0, fingerprint: null };
}
