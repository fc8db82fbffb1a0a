import * as v from "valibot";
import type { Evidence } from "../journal/event.ts";
import type { State } from "../journal/state.ts";
import { jsonIn } from "../json-value.ts";
import type { Settings } from "../settings/settings.ts";
import { singleLine } from "../text/plain-text.ts";
import { truncate } from "../text/truncate.ts";

export const SEVERITIES = ["LOW", "MEDIUM", "HIGH", "CRITICAL"] as const;
export type Severity = (typeof SEVERITIES)[number];

export type FindingDetail = {
  severity: Severity;
  file: string | null;
  line: number | null;
  issue: string;
  suggestion: string | null;
};

/** The findings of a review, in the format of bmalph. */
export type ReviewFindings = { severity: Severity; issues_found: number; summary: string; details: FindingDetail[] };

/** The state of this run's reviews. */
export type ReviewState = {
  /** Number of the iteration before the newest review; 0 before the first. */
  iteration: number;
  /** The changes since then: paths below the project, at most 100, and ids of commits. */
  files: string[];
  commits: string[];
  /** The findings for the next prompt; null after the answer to it. */
  findings: ReviewFindings | null;
};

const MOST_FILES = 100;
const MOST_DETAILS = 50;
const TEXT_CHARS = 2000;

/** No review so far, and no changes to review. */
export function noReview(): ReviewState {
  return { iteration: 0, files: [], commits: [], findings: null };
}

/** The state of reviews after an iteration; an answer drops the findings that it received. */
export function reviewAfter(
  review: ReviewState,
  { evidence, answered }: { evidence: Evidence; answered: boolean },
): ReviewState {
  return {
    ...review,
    files: [...new Set([...review.files, ...evidence.files_changed])].slice(-MOST_FILES),
    commits: [...review.commits, ...evidence.commits].slice(-MOST_FILES),
    findings: answered ? null : review.findings,
  };
}

/**
 * Whether to review the iteration that just ended: `enhanced` every REVIEW_INTERVAL iterations, `ultimate` after one
 * that ticked a box; only with the breaker CLOSED and changes since the last review.
 */
export function reviewDue(
  { review, breaker, last, iteration, open, call }: State,
  settings: Pick<Settings, "REVIEW_MODE" | "REVIEW_INTERVAL">,
): boolean {
  if (settings.REVIEW_MODE === "off" || open !== null || call !== null) return false;
  if (breaker.state !== "closed" || last === null || last.outcome === "failed" || last.number !== iteration)
    return false;
  if (review.files.length === 0 && review.commits.length === 0) return false;
  return settings.REVIEW_MODE === "ultimate"
    ? last.evidence.plan_delta > 0
    : iteration - review.iteration >= settings.REVIEW_INTERVAL;
}

const BLOCK = /---REVIEW_FINDINGS---([\s\S]*?)---(?:END_)?REVIEW_FINDINGS---/g;

const text = v.pipe(
  v.string(),
  v.transform((value) => truncate(value.trim(), TEXT_CHARS)),
);
const severity = v.fallback(
  v.pipe(
    v.string(),
    v.transform((value) => value.trim().toUpperCase()),
    v.picklist(SEVERITIES),
  ),
  "LOW",
);
const detail = v.object({
  severity,
  file: v.fallback(v.nullable(text), null),
  line: v.fallback(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1))), null),
  issue: text,
  suggestion: v.fallback(v.nullable(text), null),
});
const findings = v.object({
  severity,
  issues_found: v.fallback(v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))), null),
  summary: v.fallback(text, ""),
  details: v.fallback(v.array(v.unknown()), []),
});

/**
 * The findings in a review's answer: the JSON of its last block, with or without a code fence around it. Invalid
 * details are left out.
 * @returns null if the answer has no readable block
 */
export function parseFindings(answer: string): ReviewFindings | null {
  const block = [...answer.matchAll(BLOCK)].at(-1)?.[1];
  if (block === undefined) return null;
  const json = jsonIn(block.replace(/^\s*```[a-z]*\s*$/gim, ""));
  if (Array.isArray(json)) return null;
  const read = v.safeParse(findings, json);
  if (!read.success) return null;
  const details = read.output.details.slice(0, MOST_DETAILS).flatMap((one) => {
    const parsed = v.safeParse(detail, one);
    return parsed.success ? [parsed.output] : [];
  });
  return { ...read.output, issues_found: read.output.issues_found ?? details.length, details };
}

/** One sentence on a review, for the user. */
export function findingsSentence(found: ReviewFindings): string {
  const { issues_found, severity: worst, summary } = found;
  const text = truncate(singleLine(summary), 300);
  if (issues_found === 0) return `The review found nothing to fix.${text === "" ? "" : ` ${text}`}`;
  return `The review found ${issues_found} ${issues_found === 1 ? "issue" : "issues"} (${worst})${text === "" ? "." : `: ${text}`}`;
}
