import { expect, test } from "bun:test";
import { failingLines } from "../../../src/core/gates/failing-lines.ts";
import { growth, IN_PROPORTION } from "../../growth.ts";

test.each([
  [
    "TAP of node --test",
    "TAP version 13\nok 1 - adds\nnot ok 2 - subtracts\n  ---\n  ...\n1..2\n# fail 1\n# duration_ms 40\n",
    ["not ok 2 - subtracts"],
  ],
  ["node --test on a terminal", "✔ adds (1ms)\n✖ subtracts (2ms)\nℹ fail 1\n", ["✖ subtracts (2ms)"]],
  ["Bun", "(pass) adds\n(fail) subtracts [2ms]\n 1 pass\n 1 fail\n", ["(fail) subtracts [2ms]"]],
  [
    "Go",
    "=== RUN TestA\n--- FAIL: TestA (0.00s)\nFAIL\tshop/cart\t0.2s\nFAIL\n",
    ["--- FAIL: TestA (0.00s)", "FAIL\tshop/cart\t0.2s"],
  ],
  [
    "pytest",
    "..F\nFAILED test_a.py::test_b - assert 1 == 2\n1 failed in 0.1s\n",
    ["FAILED test_a.py::test_b - assert 1 == 2"],
  ],
  ["cargo", "test cart::adds ... FAILED\ntest result: FAILED. 0 passed\n", ["test cart::adds ... FAILED"]],
  ["tsc", "src/a.ts(3,5): error TS2322: no\nFound 1 error.\n", ["src/a.ts(3,5): error TS2322: no"]],
  ["colours", "\u001b[31m✗ red\u001b[0m\n", ["✗ red"]],
  ["nothing that is named", "# tests 3\n# fail 0\nall good\n", []],
])("what %s names as failing", (_, output, expected) => {
  expect(failingLines(output)).toEqual(expected);
});

test("many are cut to a dozen, each to a line", () => {
  const output = Array.from({ length: 100 }, (_, n) => `not ok ${n} - ${"x".repeat(500)}\n`).join("");
  const found = failingLines(output);
  expect(found).toHaveLength(12);
  expect(Math.max(...found.map(({ length }) => length))).toBeLessThanOrEqual(200);
});

test("its time is in proportion to the output", async () => {
  for (const part of ["not ok 1 - a\n", "test ", ":1", " ", "a(1,1"])
    expect(await growth((size) => part.repeat(size / part.length), failingLines, 200_000)).toBeLessThan(IN_PROPORTION);
});
