import { count } from "../text/count.ts";
import { stripAnsi } from "../text/plain-text.ts";

/** What a test runner said at its end. */
export type TestCounts = { passed: number; failed: number; skipped: number };

/** Only the end of an output is read for counts: runners print them there. */
const LONGEST = 200_000;

type Reader = (text: string) => TestCounts | null;

/** The counts in a runner's last words, one reader a family; the first that finds any decides. */
const READERS: readonly Reader[] = [
  // jest, vitest: `Tests:  1 failed, 2 skipped, 10 passed, 13 total` · `Tests  1 failed | 10 passed | 2 skipped (13)`
  (text) =>
    lastWords(text, /^[ \t]*Tests:?[ \t]+(\d.{0,200})$/gm, {
      passed: /passed/,
      failed: /failed/,
      skipped: /skipped|todo|pending/,
    }),
  // node --test, as tap and as spec: `# pass 10` · `ℹ pass 10`
  nodeTest,
  // bun test: ` 10 pass`, ` 2 skip`, ` 0 fail`
  (text) => named(text, (name) => new RegExp(`^[ \\t]*(\\d+) ${name}[ \\t]*$`, "gm"), ["pass", "fail", "skip", "todo"]),
  // mocha: `  10 passing (20ms)`, `  1 failing`, `  2 pending`
  (text) =>
    named(text, (name) => new RegExp(`^[ \\t]*(\\d+) ${name}\\b.{0,40}$`, "gm"), ["passing", "failing", "pending"]),
  // pytest: `==== 10 passed, 2 skipped, 1 failed in 0.12s ====` · `10 passed in 0.1s`
  (text) =>
    lastWords(
      text,
      /^=*[ \t]*((?:\d+ (?:passed|failed|skipped|xfailed|xpassed|errors?|deselected|warnings?|rerun)(?:, )?)+) in \d/gm,
      {
        passed: /^x?passed/,
        failed: /^failed|^error/,
        skipped: /skipped|xfailed|deselected/,
      },
    ),
  (text) => (/^=*[ \t]*no tests ran in \d/m.test(text) ? { passed: 0, failed: 0, skipped: 0 } : null),
  // playwright: `  1 failed`, `  2 skipped`, `  10 passed (3.2s)`
  (text) =>
    named(text, (name) => new RegExp(`^[ \\t]+(\\d+) ${name}(?: \\([\\d.]+m?s\\))?[ \\t]*$`, "gm"), [
      "passed",
      "failed",
      "skipped",
    ]),
  // cargo test, a line for each crate: `test result: ok. 10 passed; 0 failed; 2 ignored; 0 measured; 1 filtered out`
  (text) =>
    summed(text, /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored; \d+ measured; (\d+) filtered out/gm),
  // unittest: `Ran 10 tests in 0.1s` and `FAILED (failures=1, errors=2, skipped=3)` or `OK (skipped=3)`
  unittest,
  // go test -v: `--- PASS: TestX (0.00s)`
  (text) => tallied(text, /^[ \t]*--- (PASS|FAIL|SKIP): /gm),
  // go test -json: `{"Action":"pass","Package":"shop/cart","Test":"TestX","Elapsed":0}`
  (text) => tallied(text, /^\{(?=.*"Test":").*"Action":"(pass|fail|skip)"/gm),
  // rspec, minitest, exunit: `10 examples, 1 failure, 2 pending` · `10 runs, 20 assertions, 1 failures, 0 errors, 2 skips` ·
  // `1 doctest, 2 properties, 10 tests, 0 failures, 1 excluded`
  (text) => totals(text, /^(\d+) (?:examples?|runs?|tests?|doctests?|propert(?:y|ies)), (.{0,120})$/gm),
  // phpunit: `OK (10 tests, 20 assertions)` · `Tests: 10, Assertions: 20, Failures: 1, Skipped: 2.`
  phpunit,
  // dotnet: `Passed!  - Failed: 0, Passed: 10, Skipped: 2, Total: 12`
  (text) => labelled(text, /Failed:\s+(\d+), Passed:\s+(\d+), Skipped:\s+(\d+)/g, ["failed", "passed", "skipped"]),
  // dotnet since 9: `Test summary: total: 12, failed: 1, succeeded: 9, skipped: 2, duration: 1.2s`
  (text) =>
    labelled(text, /^Test summary: total: \d+, failed: (\d+), succeeded: (\d+), skipped: (\d+)/gm, [
      "failed",
      "passed",
      "skipped",
    ]),
  // surefire: `Tests run: 10, Failures: 1, Errors: 0, Skipped: 2`
  surefire,
  // gradle: `10 tests completed, 1 failed, 2 skipped`
  (text) => totals(text, /^(\d+) tests? completed(?:, (.{0,80}))?$/gm),
  // deno: `ok | 10 passed | 1 failed | 2 ignored (10ms)`
  (text) =>
    lastWords(text, /^(?:ok|FAILED) \| (.{0,120})$/gm, { passed: /passed/, failed: /failed/, skipped: /ignored/ }),
];

/**
 * The counts that a test runner printed last, for the runners that are used most. Null if it printed none that is known.
 * @param output of a gate, or its end
 */
export function readTestCounts(output: string): TestCounts | null {
  const text = plain(output.slice(-LONGEST));
  for (const read of READERS) {
    const counts = read(text);
    if (counts !== null) return counts;
  }
  return null;
}

function plain(output: string): string {
  return stripAnsi(output).replaceAll("\r\n", "\n");
}

/** What runners say that found no test and end green all the same, where they print no count. */
const NONE: readonly RegExp[] = [
  // jest and vitest with --passWithNoTests
  /^[ \t]*No test(?: file)?s found, exiting with code 0/m,
  // go test
  /^\?[ \t]+\S+[ \t]+\[no test files\]/m,
  /^ok[ \t]+\S+[ \t]+\S+[ \t]+\[no tests to run\]/m,
  // phpunit, exunit, surefire, dotnet, ctest, XCTest
  /^No tests executed!/m,
  /^There are no tests to run/m,
  /^\[INFO\] No tests to run\./m,
  /^No test is available in /m,
  /^No tests were found!!!/m,
  /\bExecuted 0 tests, with 0 failures\b/,
];

/** Any sign of a test that ran, of whichever runner or script: one package of several may have none. */
const SOME: readonly RegExp[] = [
  /(?<![\d.])[1-9]\d* (?:tests?|specs?|examples?|runs?|assertions?|scenarios?|checks?|pass|passed|passing|fail|failed|failing|ok|succeeded)\b/i,
  /\b(?:tests?|tests run|passed|pass|ok|succeeded|total)[: \t]+[1-9]/i,
  /^[ \t]*(?:--- PASS|not ok [1-9]|[✓✔√]|PASS(?:ED)?[: \t]+\S)/m,
  // `PASS` and `ok` alone are also what go and deno say of nothing.
  /^[ \t]*ok[ \t:-]+[^|\s:-](?!.*\[no tests to run\])/m,
  // Its half ahead keeps a long line from being searched again from each place where the other stands.
  /^\{(?=.*"Action":"pass").*"Test":/m,
];

/** How runners count tests of which they skipped each one: their total is no sign of one that ran. */
const ALL_SKIPPED: readonly RegExp[] = [
  // jest, vitest
  /^[ \t]*Tests:?[ \t]+(?:\d+ (?:skipped|todo|pending)[ ,|]{1,3}){1,3}(?:\d+ total|\(\d+\))[ \t]*$/gm,
  // node --test, and what else prints tap
  /^[#ℹ] tests \d+\n(?:[#ℹ] suites \d+\n)?[#ℹ] pass 0\n[#ℹ] fail 0\n[#ℹ] cancelled 0$/gm,
  /^[ \t]*ok \d+ .{0,300}# SKIP\b/gim,
  // unittest
  /^Ran (\d+) tests? in .{0,60}\n+OK \(skipped=\1\)$/gm,
  // cargo, deno; the last `ignored` of a line is meant, or lines with several could be read in countless ways
  /^running (\d+) tests?(?: from .{1,300})?\n(?:.{1,300} \.\.\. ignored(?!.* \.\.\. ignored).{0,300}\n){0,1000}\n*(?:test result: ok\.|ok \|) 0 passed[; |]+0 failed[; |]+\1 ignored/gm,
  // rspec, minitest, exunit
  /^(\d+) (?:examples?|runs?|tests?), (?:0 (?:assertions|failures|errors), ){1,3}\1 (?:pending|skips?|skipped)\b/gm,
  // phpunit, surefire, dotnet
  /^Tests: (\d+), Assertions: 0, Skipped: \1\.$/gm,
  /Tests run: (\d+), Failures: 0, Errors: 0, Skipped: \1\b/g,
  /Failed:\s+0, Passed:\s+0, Skipped:\s+(\d+), Total:\s+\1\b/g,
  /^Test summary: total: (\d+), failed: 0, succeeded: 0, skipped: \1\b/gm,
];

/**
 * Whether a runner says that it ran no test, or skipped each one, and nothing in the output tells of one that ran. What is green
 * like that proves nothing; where there is any doubt it counts as before.
 * @param output all of it: a test may be told in its middle
 */
export function ranNoTests(output: string): boolean {
  const counts = readTestCounts(output);
  const text = plain(output);
  const saysNone = counts === null ? NONE.some((line) => line.test(text)) : counts.passed + counts.failed === 0;
  if (!saysNone) return false;
  const rest = ALL_SKIPPED.reduce((left, skipped) => left.replace(skipped, ""), text);
  return !SOME.some((sign) => sign.test(rest));
}

/** A sentence, when fewer tests ran or more were skipped than before; null otherwise. */
export function fewerTests(before: TestCounts, after: TestCounts): string | null {
  const ran = ({ passed, failed }: TestCounts) => passed + failed;
  if (after.skipped > before.skipped)
    return `${count(after.skipped, "test")} ${after.skipped === 1 ? "is" : "are"} skipped, and ${before.skipped} were before.`;
  return ran(after) < ran(before) ? `${ran(after)} tests ran, and ${ran(before)} did before.` : null;
}

function lastWords(text: string, line: RegExp, names: Record<keyof TestCounts, RegExp>): TestCounts | null {
  const words = [...text.matchAll(line)].at(-1)?.[1];
  if (words === undefined) return null;
  const counts = { passed: 0, failed: 0, skipped: 0 };
  let found = false;
  for (const [, number = "0", word = ""] of words.matchAll(/(\d+) ([a-z]+)/g))
    for (const name of ["passed", "failed", "skipped"] as const)
      if (names[name].test(word)) {
        counts[name] += Number(number);
        found = true;
        break;
      }
  return found ? counts : null;
}

/** A number beside each name: the first name is what passed, the second what failed, all others are skipped. */
function named(text: string, line: (name: string) => RegExp, names: readonly string[]): TestCounts | null {
  const numbers = names.map((name) => [...text.matchAll(line(name))].at(-1)?.[1]);
  const [passed, failed, ...skipped] = numbers;
  if (passed === undefined && failed === undefined) return null;
  return {
    passed: Number(passed ?? 0),
    failed: Number(failed ?? 0),
    skipped: skipped.reduce((sum, one) => sum + Number(one ?? 0), 0),
  };
}

/** Cancelled tests did not pass: node counts them apart from the failed. */
function nodeTest(text: string): TestCounts | null {
  const of = (names: readonly string[]) =>
    named(text, (name) => new RegExp(`^(?:#|ℹ) ${name} (\\d+)[ \\t]*$`, "gm"), names);
  const counts = of(["pass", "fail", "skipped", "todo"]);
  return counts === null ? null : { ...counts, failed: counts.failed + (of(["cancelled"])?.passed ?? 0) };
}

function summed(text: string, line: RegExp): TestCounts | null {
  const rows = [...text.matchAll(line)];
  if (rows.length === 0) return null;
  const sum = (...groups: number[]) =>
    rows.reduce((all, row) => all + groups.reduce((some, group) => some + Number(row[group] ?? 0), 0), 0);
  return { passed: sum(1), failed: sum(2), skipped: sum(3, 4) };
}

function tallied(text: string, line: RegExp): TestCounts | null {
  const words = [...text.matchAll(line)].map(([, word]) => word);
  if (words.length === 0) return null;
  const of = (word: string) => words.filter((one) => one?.toUpperCase() === word).length;
  return { passed: of("PASS"), failed: of("FAIL"), skipped: of("SKIP") };
}

/** A total first, then what of it did not pass. */
function totals(text: string, line: RegExp): TestCounts | null {
  const row = [...text.matchAll(line)].at(-1);
  if (row === undefined) return null;
  const total = Number(row[1]) + kindsOf(row[2] ?? "");
  const of = (word: RegExp) =>
    [...(row[2] ?? "").matchAll(/(\d+) ([a-z]+)/g)].reduce(
      (sum, [, number, name]) => sum + (word.test(name ?? "") ? Number(number) : 0),
      0,
    );
  const failed = of(/^(?:fail|error)/);
  const skipped = of(/^(?:pending|skip|exclu|invalid)/);
  return { passed: Math.max(0, total - failed - skipped), failed, skipped };
}

/** Tests of further kinds that a total names beside the first: doctests, properties and tests. */
function kindsOf(rest: string): number {
  return [...rest.matchAll(/(\d+) (?:tests?|propert(?:y|ies))\b/g)].reduce(
    (sum, [, number]) => sum + Number(number),
    0,
  );
}

function labelled(text: string, line: RegExp, labels: readonly (keyof TestCounts)[]): TestCounts | null {
  const rows = [...text.matchAll(line)];
  if (rows.length === 0) return null;
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const row of rows) for (const [at, label] of labels.entries()) counts[label] += Number(row[at + 1] ?? 0);
  return counts;
}

function unittest(text: string): TestCounts | null {
  const ran = [...text.matchAll(/^Ran (\d+) tests? in /gm)].at(-1)?.[1];
  if (ran === undefined) return null;
  const end = [...text.matchAll(/^(?:OK|FAILED)(?: \((.{0,120})\))?$/gm)].at(-1)?.[1] ?? "";
  const of = (name: string) => Number(new RegExp(`\\b${name}=(\\d+)`).exec(end)?.[1] ?? 0);
  const failed = of("failures") + of("errors") + of("unexpected successes");
  const skipped = of("skipped") + of("expected failures");
  return { passed: Math.max(0, Number(ran) - failed - skipped), failed, skipped };
}

function phpunit(text: string): TestCounts | null {
  const ok = [...text.matchAll(/^OK \((\d+) tests?, \d+ assertions?\)$/gm)].at(-1)?.[1];
  if (ok !== undefined) return { passed: Number(ok), failed: 0, skipped: 0 };
  const end = [...text.matchAll(/^Tests: (\d+), Assertions: \d+(.{0,160})\.$/gm)].at(-1);
  if (end === undefined) return null;
  const of = (name: string) => Number(new RegExp(`${name}: (\\d+)`).exec(end[2] ?? "")?.[1] ?? 0);
  const failed = of("Failures") + of("Errors");
  const skipped = of("Skipped") + of("Incomplete");
  return { passed: Math.max(0, Number(end[1]) - failed - skipped), failed, skipped };
}

/** Each class has a line with its time; the last one without is the sum, as with other modules. */
function surefire(text: string): TestCounts | null {
  const rows = [
    ...text.matchAll(/Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)(,? ?Time elapsed)?/g),
  ];
  const sums = rows.filter((row) => row[5] === undefined);
  const used = sums.length > 0 ? sums : rows;
  if (used.length === 0) return null;
  const sum = (group: number) => used.reduce((all, row) => all + Number(row[group] ?? 0), 0);
  const failed = sum(2) + sum(3);
  return { passed: Math.max(0, sum(1) - failed - sum(4)), failed, skipped: sum(4) };
}
