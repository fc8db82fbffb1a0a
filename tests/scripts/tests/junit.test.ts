import { expect, test } from "bun:test";
import { judge } from "../../../scripts/lib/tests/junit.ts";

const report = (totals: string, ...files: string[]) =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="bun test" ${totals} time="0.03">`,
    ...files.map((file) => `  <testsuite name="${file}" file="${file}" tests="1" failures="0"></testsuite>`),
    "</testsuites>",
  ].join("\n");

const a = "tests/a.test.ts";
const b = "tests/b.test.ts";

test("a successful run is counted as in its report", () => {
  const run = { exitCode: 0, report: report('tests="5" failures="0" skipped="2"', a), files: [a] };
  expect(judge(run)).toEqual({ counts: { passed: 3, failed: 0, skipped: 2 }, complaints: [] });
});

test("a failure in both report and exit code is counted once", () => {
  const run = { exitCode: 1, report: report('tests="5" failures="2" skipped="0"', a), files: [a] };
  expect(judge(run)).toEqual({ counts: { passed: 3, failed: 2, skipped: 0 }, complaints: [] });
});

test("a test that ends the process with code 0 leaves no report, which is a failure", () => {
  const { counts, complaints } = judge({ exitCode: 0, report: null, files: [a] });
  expect(counts).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(complaints).toEqual(["bun test wrote no report (exit code 0): a test ended the process, or it was killed"]);
});

test("a truncated report counts as missing", () => {
  expect(judge({ exitCode: 0, report: '<?xml version="1.0"?>', files: [a] }).counts.failed).toBe(1);
});

test("a file that the report does not name is a failure: it could not be loaded, or holds no test", () => {
  const run = { exitCode: 0, report: report('tests="1" failures="0" skipped="0"', a), files: [a, b] };
  expect(judge(run)).toEqual({
    counts: { passed: 1, failed: 1, skipped: 0 },
    complaints: ["tests/b.test.ts: no test of this file ran"],
  });
});

test("an exit code without a failed test is a failure", () => {
  const run = { exitCode: 1, report: report('tests="1" failures="0" skipped="0"', a), files: [a] };
  expect(judge(run).complaints).toEqual(["bun test ended with exit code 1 though no test failed"]);
  expect(judge(run).counts.failed).toBe(1);
});

test("Windows paths in a report name the same files", () => {
  const run = { exitCode: 0, report: report('tests="1" failures="0" skipped="0"', "tests\\a.test.ts"), files: [a] };
  expect(judge(run).complaints).toEqual([]);
});
