import type { Analysis } from "../answer/analysis-types.ts";
import { fingerprintLines, normaliseLine } from "../answer/fingerprint.ts";
import type { GateResult } from "../decide/gate-rules.ts";
import type { Evidence } from "../journal/event.ts";
import type { PlanCounts } from "../plan/fix-plan.ts";

/**
 * What a run got done, beside what merely changed (product.md "Spinning"). A commit and a ticked box are headway, and so is a
 * gate, once, that was red from the first and turned green.
 */
export type Headway = {
  /** Answers in a row that changed nothing, questions among them. */
  idle: number;
  /** The newest of those that were denied nothing: who may not do it has not found that nothing is left to do. */
  quiet: number;
  /** The run changed something. */
  worked: boolean;
  /** Iterations of the run that made a commit. */
  committing: number;
  /** Iterations since the last headway; idle ones are left to the circuit breaker. */
  bare: number;
  /** The newest of those that changed nothing but `files`, at most two. */
  same: number;
  files: string[];
  /** Consecutive iterations with the same denial, without headway and without other changes than `same` allows. */
  denied: number;
  /** Fingerprint of that denial; null for none. */
  denial: string | null;
  /** By command: red since its first run, green at once, or turned from red to green by work. */
  gates: Readonly<Record<string, "red" | "green" | "turned">>;
  /** Answers since work turned a gate green; null before that. */
  since_turn: number | null;
  /** Answers after which a gate was still red that had been so from its first run. */
  red_answers: number;
};

/** The part of an answered iteration that shows headway; `gates` are those that ran after it. */
export type HeadwayStep = {
  analysis: Pick<Analysis, "has_permission_denials" | "denied_commands" | "asking_questions">;
  evidence: Pick<
    Evidence,
    "progress" | "commits" | "committed_inside" | "plan_delta" | "files_changed" | "files_changed_count"
  >;
  gates: readonly GateResult[];
};

/** A change to more files is not the same small change again. */
const FEW_FILES = 2;
/** Commits are usual in a run from this many iterations with one. */
const USUAL_COMMITS = 3;
/** Iterations whose files vary weigh so much less: real work may be one long task. */
const PATIENCE = 3;

/** The headway at the start of a run. */
export function noHeadway(): Headway {
  return {
    idle: 0,
    quiet: 0,
    worked: false,
    committing: 0,
    bare: 0,
    same: 0,
    files: [],
    denied: 0,
    denial: null,
    gates: {},
    since_turn: null,
    red_answers: 0,
  };
}

/** Answers in a row that changed nothing and were denied nothing, after one more. */
export function quietAfter(
  { quiet }: Headway,
  { analysis, evidence }: { analysis: Pick<Analysis, "has_permission_denials">; evidence: Pick<Evidence, "progress"> },
): number {
  return evidence.progress || analysis.has_permission_denials ? 0 : quiet + 1;
}

/** The headway after an answered iteration. */
export function stepHeadway(before: Headway, { analysis, evidence, gates }: HeadwayStep): Headway {
  const { progress, commits, committed_inside = false, plan_delta } = evidence;
  const isCommitted = commits.length > 0 || committed_inside;
  const judged = judgeGates(before.gates, gates, progress);
  const turned = Object.keys(judged).some((name) => judged[name] === "turned" && before.gates[name] !== "turned");
  const known = {
    idle: progress ? 0 : before.idle + 1,
    quiet: quietAfter(before, { analysis, evidence }),
    worked: before.worked || progress,
    committing: before.committing + (isCommitted ? 1 : 0),
    gates: judged,
    red_answers: before.red_answers + (Object.values(judged).includes("red") ? 1 : 0),
    since_turn: turned ? 0 : before.since_turn === null ? null : before.since_turn + 1,
  };
  if (isCommitted || plan_delta > 0 || turned) return { ...noHeadway(), ...known };
  const change = stepChange(before, evidence, analysis.asking_questions);
  return { ...before, ...known, ...change.counts, ...stepDenial(before, analysis, change.isMore) };
}

/** How near the run is to `no_headway`, in iterations. */
export function iterationsWithoutHeadway({ bare, same, files, committing }: Headway, plan: PlanCounts | null): number {
  const isMeasured = (plan?.blocking_unchecked ?? 0) > 0 || committing >= USUAL_COMMITS;
  if (isMeasured) return Math.max(same, Math.floor(bare / PATIENCE));
  // Without boxes and commits, work on one file may be real; questions alone are none.
  return files.length === 0 ? same : Math.floor(same / PATIENCE);
}

/** How many iterations stand for one of those that are `used`: the same small change weighs more than others. */
export function patienceOf(headway: Headway, used: number): number {
  return describeSpinning(headway, used).iterations >= used * PATIENCE ? PATIENCE : 1;
}

/** What went on instead of headway, to follow a number of iterations in a row. */
export function describeSpinning({ bare, same, files }: Headway, used: number): { iterations: number; what: string } {
  if (same < used) return { iterations: bare, what: "ticked no box and made no commit" };
  const what =
    files.length === 0
      ? "ended with a question and changed nothing"
      : `changed nothing but ${files.join(" and ")}: no box ticked, no commit`;
  return { iterations: same, what };
}

function stepChange(
  before: Headway,
  { progress, files_changed, files_changed_count }: HeadwayStep["evidence"],
  asks: boolean,
): { counts: Pick<Headway, "bare" | "same" | "files">; isMore: boolean } {
  const { bare, same, files } = before;
  if (!progress && !asks) return { counts: { bare, same, files }, isMore: true };
  const all = [...new Set([...files, ...files_changed])];
  const isFew = files_changed_count <= FEW_FILES;
  const isMore = isFew && all.length <= FEW_FILES;
  const now = isMore
    ? { same: same + 1, files: all }
    : isFew
      ? { same: 1, files: [...files_changed] }
      : { same: 0, files: [] };
  return { counts: { bare: bare + 1, ...now }, isMore };
}

function stepDenial(
  before: Headway,
  { has_permission_denials, denied_commands }: HeadwayStep["analysis"],
  isMore: boolean,
): Pick<Headway, "denied" | "denial"> {
  if (!has_permission_denials) return { denied: 0, denial: null };
  const denial = fingerprintLines(denied_commands.map(normaliseLine)) ?? "";
  return { denied: isMore && denial === before.denial ? before.denied + 1 : 1, denial };
}

function judgeGates(before: Headway["gates"], gates: readonly GateResult[], changed: boolean): Headway["gates"] {
  const now = gates.map(({ command, ok }) => {
    const known = before[command] ?? (ok ? "green" : "red");
    // Green on the tree on which it was red: a gate that cannot be relied on.
    const next = known === "red" && ok ? (changed ? "turned" : "green") : known;
    return [command, next] as const;
  });
  return now.length === 0 ? before : { ...before, ...Object.fromEntries(now) };
}
