/** One line of `ralph doctor` or `ralph drivers test` (interfaces.md, "ralph doctor --json"). */
export type CheckResult = {
  label: string;
  passed: boolean;
  /** Not passed, it blocks a run; otherwise it is a warning. */
  required: boolean;
  detail: string;
  /** What mends it, mostly a command; null where it passed or nothing does. */
  hint: string | null;
};

export type CheckSummary = { passed: number; failed: number; warned: number };

export function passed(label: string, detail: string): CheckResult {
  return { label, passed: true, required: false, detail, hint: null };
}

/** Something that blocks a run. */
export function failed(label: string, detail: string, hint: string | null): CheckResult {
  return { label, passed: false, required: true, detail, hint };
}

/** Something that a person should know of, and a run goes on with. */
export function warned(label: string, detail: string, hint: string | null): CheckResult {
  return { label, passed: false, required: false, detail, hint };
}

/** How many checks passed, failed though required, and only warn. */
export function summarize(results: readonly CheckResult[]): CheckSummary {
  const bad = results.filter((result) => !result.passed);
  const required = bad.filter((result) => result.required).length;
  return { passed: results.length - bad.length, failed: required, warned: bad.length - required };
}
