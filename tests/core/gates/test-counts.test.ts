import { describe, expect, test } from "bun:test";
import { fewerTests, ranNoTests, readTestCounts } from "../../../src/core/gates/test-counts.ts";

const counts = (passed: number, failed: number, skipped: number) => ({ passed, failed, skipped });

test.each([
  [
    "jest",
    "Test Suites: 1 failed, 2 passed, 3 total\nTests:       1 failed, 2 skipped, 1 todo, 10 passed, 14 total\nSnapshots:   0 total\nTime:        1.2 s\n",
    counts(10, 1, 3),
  ],
  [
    "vitest",
    " Test Files  1 failed | 2 passed (3)\n      Tests  1 failed | 10 passed | 2 skipped (13)\n   Start at  12:00:00\n",
    counts(10, 1, 2),
  ],
  [
    "vitest in colour",
    "\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m10 passed\u001b[39m\u001b[22m\u001b[90m (10)\u001b[39m\n",
    counts(10, 0, 0),
  ],
  [
    "node --test, tap",
    "# tests 13\n# suites 0\n# pass 10\n# fail 1\n# cancelled 0\n# skipped 2\n# todo 0\n# duration_ms 42\n",
    counts(10, 1, 2),
  ],
  ["node --test, spec", "ℹ tests 13\nℹ pass 11\nℹ fail 0\nℹ skipped 1\nℹ todo 1\n", counts(11, 0, 2)],
  [
    "bun test",
    " 10 pass\n 2 skip\n 1 fail\n 20 expect() calls\nRan 13 tests across 2 files. [41.00ms]\n",
    counts(10, 1, 2),
  ],
  ["mocha", "\n  10 passing (20ms)\n  2 pending\n  1 failing\n\n", counts(10, 1, 2)],
  ["pytest", "=== 10 passed, 2 skipped, 1 failed, 3 warnings in 0.12s ===\n", counts(10, 1, 2)],
  ["pytest -q", "..........\n10 passed in 0.02s\n", counts(10, 0, 0)],
  ["pytest with deselected ones", "= 8 passed, 2 deselected, 1 xfailed in 1.02s =\n", counts(8, 0, 3)],
  ["unittest", "Ran 13 tests in 0.004s\n\nFAILED (failures=1, errors=1, skipped=2)\n", counts(9, 2, 2)],
  ["unittest, all well", "Ran 3 tests in 0.001s\n\nOK\n", counts(3, 0, 0)],
  [
    "go test -v",
    "=== RUN   TestA\n--- PASS: TestA (0.00s)\n    --- PASS: TestA/one (0.00s)\n--- SKIP: TestB (0.00s)\n--- FAIL: TestC (0.01s)\nFAIL\n",
    counts(2, 1, 1),
  ],
  [
    "cargo test over two crates",
    "test result: ok. 4 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.01s\n\ntest result: FAILED. 6 passed; 1 failed; 0 ignored; 0 measured; 1 filtered out; finished in 0.00s\n",
    counts(10, 1, 2),
  ],
  ["rspec", "Finished in 0.1 seconds\n13 examples, 1 failure, 2 pending\n", counts(10, 1, 2)],
  ["minitest", "13 runs, 20 assertions, 1 failures, 1 errors, 2 skips\n", counts(9, 2, 2)],
  ["phpunit, all well", "OK (10 tests, 20 assertions)\n", counts(10, 0, 0)],
  ["phpunit", "FAILURES!\nTests: 13, Assertions: 20, Failures: 1, Errors: 1, Skipped: 2.\n", counts(9, 2, 2)],
  ["exunit", "Finished in 0.03 seconds\n13 tests, 1 failure, 2 skipped\n", counts(10, 1, 2)],
  [
    "dotnet",
    "Failed!  - Failed:     1, Passed:    10, Skipped:     2, Total:    13, Duration: 42 ms - Shop.Tests.dll (net9.0)\n",
    counts(10, 1, 2),
  ],
  [
    "surefire",
    "[INFO] Tests run: 6, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: 0.1 s -- in A\n[INFO] Tests run: 7, Failures: 1, Errors: 0, Skipped: 1, Time elapsed: 0.1 s -- in B\n[ERROR] Tests run: 13, Failures: 1, Errors: 0, Skipped: 2\n",
    counts(10, 1, 2),
  ],
  ["gradle", "13 tests completed, 1 failed, 2 skipped\n", counts(10, 1, 2)],
  ["deno test", "ok | 10 passed (2 steps) | 0 failed | 2 ignored (15ms)\n", counts(10, 0, 2)],
  ["exunit with doctests", "2 doctests, 1 property, 10 tests, 1 failure, 2 excluded\n", counts(10, 1, 2)],
  [
    "dotnet since 9",
    "Test summary: total: 13, failed: 1, succeeded: 10, skipped: 2, duration: 1.2s\n",
    counts(10, 1, 2),
  ],
  [
    "pytest on a wide terminal",
    `${"=".repeat(110)} 10 passed, 1 skipped in 62.12s (0:01:02) ${"=".repeat(110)}\n`,
    counts(10, 0, 1),
  ],
  ["pytest that found no test", "===== no tests ran in 0.01s =====\n", counts(0, 0, 0)],
  [
    "playwright",
    "  1 failed\n    [chromium] › a.spec.ts:3:1 › logs in\n  2 skipped\n  10 passed (3.2s)\n",
    counts(10, 1, 2),
  ],
  [
    "go test -json",
    '{"Time":"2026-01-01T00:00:00Z","Action":"pass","Package":"shop","Test":"TestA","Elapsed":0}\n{"Action":"skip","Package":"shop","Test":"TestB"}\n{"Action":"output","Package":"shop","Test":"TestC","Output":"x"}\n{"Action":"fail","Package":"shop","Test":"TestC"}\n{"Action":"fail","Package":"shop"}\n',
    counts(1, 1, 1),
  ],
  [
    "node --test with cancelled ones",
    "# tests 3\n# pass 1\n# fail 0\n# cancelled 2\n# skipped 0\n# todo 0\n",
    counts(1, 2, 0),
  ],
  ["with Windows line ends", "Tests:       10 passed, 10 total\r\nTime: 1 s\r\n", counts(10, 0, 0)],
])("the counts of %s are read", (_, output, expected) => {
  expect(readTestCounts(output)).toEqual(expected);
});

test.each(["", "ok  \tshop/cart\t0.004s\n", "All good.\n", "compiled 10 files\n"])(
  "no counts are made up from %j",
  (output) => {
    expect(readTestCounts(output)).toBeNull();
  },
);

describe("fewer tests than before", () => {
  test("are told, and whether they are skipped", () => {
    expect(fewerTests(counts(10, 0, 0), counts(9, 0, 0))).toBe("9 tests ran, and 10 did before.");
    expect(fewerTests(counts(10, 0, 0), counts(8, 0, 2))).toBe("2 tests are skipped, and 0 were before.");
  });
  test("are told where a new test makes up for one that is skipped", () => {
    expect(fewerTests(counts(10, 0, 0), counts(10, 0, 1))).toBe("1 test is skipped, and 0 were before.");
  });
  test("are none where as many ran, whatever their result, or more", () => {
    expect(fewerTests(counts(10, 0, 0), counts(7, 3, 0))).toBeNull();
    expect(fewerTests(counts(10, 0, 1), counts(11, 0, 1))).toBeNull();
  });
});

const NO_TESTS = [
  [
    "unittest",
    "\n----------------------------------------------------------------------\nRan 0 tests in 0.000s\n\nOK\n",
  ],
  ["jest", "No tests found, exiting with code 0\n"],
  [
    "vitest",
    "\n RUN  v3.2.4 /shop\n\nNo test files found, exiting with code 0\n\ninclude: **/*.{test,spec}.?(c|m)[jt]s?(x)\n",
  ],
  ["go test", "?   \tshop/cart\t[no test files]\n?   \tshop\t[no test files]\n"],
  [
    "go test with a pattern that fits none",
    "testing: warning: no tests to run\nPASS\nok  \tshop\t0.002s [no tests to run]\n",
  ],
  [
    "cargo test",
    "   Compiling shop v0.1.0 (/shop)\n    Finished `test` profile [unoptimized + debuginfo] target(s) in 0.31s\n     Running unittests src/lib.rs\n\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n\n   Doc-tests shop\n\nrunning 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n",
  ],
  [
    "cargo test with a filter that fits none",
    "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 12 filtered out; finished in 0.00s\n",
  ],
  ["mocha", "\n\n  0 passing (1ms)\n\n"],
  [
    "node --test",
    "ℹ tests 0\nℹ suites 0\nℹ pass 0\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 41.2\n",
  ],
  ["pytest with each one skipped", "============ 3 skipped in 0.02s ============\n"],
  [
    "rspec",
    "No examples found.\n\nFinished in 0.0003 seconds (files took 0.05 seconds to load)\n0 examples, 0 failures\n",
  ],
  ["minitest", "0 runs, 0 assertions, 0 failures, 0 errors, 0 skips\n"],
  ["phpunit", "PHPUnit 9.6.1 by Sebastian Bergmann and contributors.\n\nNo tests executed!\n"],
  ["exunit", "There are no tests to run\n"],
  [
    "surefire",
    "[INFO] --- surefire:3.2.5:test (default-test) @ shop ---\n[INFO] No tests to run.\n[INFO] BUILD SUCCESS\n",
  ],
  ["ctest", "Test project /shop/build\nNo tests were found!!!\n"],
  ["deno", "ok | 0 passed | 0 failed (1ms)\n"],
  ["jest with each one skipped", "Test Suites: 1 skipped, 0 of 1 total\nTests:       3 skipped, 3 total\n"],
  ["jest with each one skipped or to do", "Tests:       2 skipped, 1 todo, 3 total\n"],
  ["vitest with each one skipped", " Test Files  1 skipped (1)\n      Tests  3 skipped (3)\n"],
  ["vitest with each one skipped or to do", "      Tests  2 skipped | 1 todo (3)\n"],
  ["unittest with each one skipped", "sss\n-----\nRan 3 tests in 0.001s\n\nOK (skipped=3)\n"],
  [
    "node --test with each one skipped",
    "TAP version 13\nok 1 - adds # SKIP\n1..1\n# tests 1\n# suites 0\n# pass 0\n# fail 0\n# cancelled 0\n# skipped 1\n# todo 0\n",
  ],
  ["surefire with each one skipped", "[INFO] Tests run: 7, Failures: 0, Errors: 0, Skipped: 7\n"],
  ["phpunit with each one skipped", "OK, but incomplete or skipped tests!\nTests: 3, Assertions: 0, Skipped: 3.\n"],
  ["dotnet with each one skipped", "Skipped! - Failed:     0, Passed:     0, Skipped:    10, Total:    10\n"],
  ["rspec with each one pending", "3 examples, 0 failures, 3 pending\n"],
  ["minitest with each one skipped", "3 runs, 0 assertions, 0 failures, 0 errors, 3 skips\n"],
  [
    "cargo test with each one ignored",
    "running 2 tests\ntest a ... ignored\ntest b ... ignored, needs a network\n\ntest result: ok. 0 passed; 0 failed; 2 ignored; 0 measured; 0 filtered out\n",
  ],
  [
    "deno with each one ignored",
    "running 1 test from ./a_test.ts\nadds ... ignored (0ms)\n\nok | 0 passed | 0 failed | 1 ignored (1ms)\n",
  ],
  ["exunit with each one skipped", "3 tests, 0 failures, 3 skipped\n"],
] as const;

describe("a runner that ran no test", () => {
  test.each(NO_TESTS)("is seen of %s", (_, output) => {
    expect(ranNoTests(output)).toBe(true);
  });

  test("is seen in colour, and with Windows line ends", () => {
    expect(ranNoTests("\u001b[1mNo tests found, exiting with code 0\u001b[22m\r\n")).toBe(true);
  });

  const SOME = [
    ["jest", "PASS src/a.test.ts\nTests:       3 passed, 3 total\n"],
    ["vitest", "      Tests  3 passed (3)\n"],
    ["unittest", "Ran 3 tests in 0.001s\n\nOK\n"],
    ["go test", "ok  \tshop/cart\t0.004s\n"],
    ["go test, from its cache", "ok  \tshop/cart\t(cached)\n"],
    ["go test -v", "--- PASS: TestA (0.00s)\nPASS\nok  \tshop\t0.002s\n"],
    ["cargo test", "test result: ok. 4 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s\n"],
    ["mocha", "  3 passing (20ms)\n"],
    ["node --test", "ok 1 - adds\n# tests 1\n# pass 1\n# fail 0\n"],
    ["surefire", "[INFO] Tests run: 7, Failures: 0, Errors: 0, Skipped: 0\n"],
    ["dotnet", "Passed!  - Failed:     0, Passed:    10, Skipped:     0, Total:    10\n"],
    ["phpunit", "OK (10 tests, 20 assertions)\n"],
    ["a script of one's own", "PASS: api answers\n"],
    ["a script that ticks", "  ✓ the api answers\n"],
    ["a script that says ok", "ok - the api answers\n"],
  ] as const;

  test.each(
    NO_TESTS.flatMap(([none, without]) => SOME.map(([some, output]) => [none, some, without, output] as const)),
  )("is no package of %s beside one of %s, in whichever order", (_none, _some, without, output) => {
    expect([ranNoTests(`${without}${output}`), ranNoTests(`${output}${without}`)]).toEqual([false, false]);
  });

  test.each([
    "",
    "All good.\n",
    "Checked 40 files in 3s. No fixes applied.\n",
    "> Task :lib:test NO-SOURCE\nBUILD SUCCESSFUL in 1s\n",
  ])("is not made up from %j", (output) => {
    expect(ranNoTests(output)).toBe(false);
  });

  test("is not made up where a test is told long before its last words", () => {
    expect(ranNoTests(`PASS: 5 tests\n${"building …\n".repeat(20_000)}Ran 0 tests in 0.000s\n\nOK\n`)).toBe(false);
  });

  // Each of these takes minutes where one pattern looks for its second half from each place of its first.
  test.each([
    '"Action":"pass" ',
    '{"Action":"pass","Test',
    '"Test":',
    "1 passed",
    "1 passed, ",
    "Tests: 1",
    "ok 1 1.",
    "ok\t",
    "PASS.",
    "1",
    "1.1s ",
    " ",
    "=",
    "Failed: ",
    "Failed: 1, Passed: ",
    "Tests run: 1, Failures: ",
    "No test",
    "\u001b[",
    "\u001b]8;",
    "\r",
  ])("is looked for in much of %j at once", (piece) => {
    const line = piece.repeat(1_000_000 / piece.length);
    ranNoTests(`${line}\nRan 0 tests in 0.000s\n\nOK\n`);
    ranNoTests(`ok ${line} x\n{${line}\nrunning 9 tests\n${line}\nRan 0 tests in 0.000s\n`);
  });
});
