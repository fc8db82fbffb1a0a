import { RalphError } from "../errors.ts";

/** One line of `ralph doctor` or `ralph drivers test` (interfaces.md "ralph doctor --json"). */
export type CheckResult = {
  label: string;
  passed: boolean;
  /** A failure blocks a run; otherwise it is a warning. */
  required: boolean;
  detail: string;
  /** The fix, mostly a command; null after a success, or if there is none. */
  hint: string | null;
};

export type CheckSummary = { passed: number; failed: number; warned: number };

export function passed(label: string, detail: string): CheckResult {
  return { label, passed: true, required: false, detail, hint: null };
}

/** A check that blocks a run. */
export function failed(label: string, detail: string, hint: string | null): CheckResult {
  return { label, passed: false, required: true, detail, hint };
}

/** An expected error as a check that blocks a run. @throws any other error */
export function failedBy(label: string, error: unknown): CheckResult {
  if (error instanceof RalphError) return failed(label, error.message, error.hint);
  throw error;
}

/** A problem that does not block a run. */
export function warned(label: string, detail: string, hint: string | null): CheckResult {
  return { label, passed: false, required: false, detail, hint };
}

/** Counts the checks that passed, that failed though required, and that only warn. */
export function summarize(results: readonly CheckResult[]): CheckSummary {
  const bad = results.filter((result) => !result.passed);
  const required = bad.filter((result) => result.required).length;
  return { passed: results.length - bad.length, failed: required, warned: bad.length - required };
}
