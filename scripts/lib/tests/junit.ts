import type { Counts } from "./counts.ts";

/** The result of one `bun test`. */
export type TestRun = {
  exitCode: number | null;
  /** The JUnit report; null if none was written. */
  report: string | null;
  /** The files to run, relative to the project, with forward slashes. */
  files: readonly string[];
};

export type Verdict = { counts: Counts; complaints: string[] };

const attribute = (tag: string, name: string) => new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
const number = (tag: string, name: string) => Number(attribute(tag, name) ?? 0);

/** The files in the report. */
function reportedFiles(report: string): Set<string> {
  const tags = report.match(/<testsuite\s[^>]*>/g) ?? [];
  return new Set(tags.map((tag) => (attribute(tag, "file") ?? "").replaceAll("\\", "/")));
}

/**
 * Counts a run of `bun test` from its exit code and its report, since neither is reliable alone. A test that ends the
 * process makes it exit 0 without a report. A file that cannot be loaded, or has no tests, is missing from the report.
 */
export function judge({ exitCode, report, files }: TestRun): Verdict {
  const totals = /<testsuites\s[^>]*>/.exec(report ?? "")?.[0];
  if (report === null || totals === undefined) {
    const complaint = `bun test wrote no report (exit code ${exitCode}): a test ended the process, or it was killed`;
    return { counts: { passed: 0, failed: 1, skipped: 0 }, complaints: [complaint] };
  }
  const reported = reportedFiles(report);
  const complaints = files.filter((file) => !reported.has(file)).map((file) => `${file}: no test of this file ran`);
  const failures = number(totals, "failures");
  if (exitCode !== 0 && failures + complaints.length === 0) {
    complaints.push(`bun test ended with exit code ${exitCode} though no test failed`);
  }
  const skipped = number(totals, "skipped");
  const passed = number(totals, "tests") - failures - skipped;
  return { counts: { passed, failed: failures + complaints.length, skipped }, complaints };
}
