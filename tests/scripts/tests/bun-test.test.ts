/** The test runner with real test files that misbehave. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "../../../scripts/lib/paths.ts";
import { bunTest } from "../../../scripts/lib/tests/bun-test.ts";

const sources = {
  good: 'import { test } from "bun:test";\ntest("passes", () => {});\ntest.skip("is skipped", () => {});',
  bad: 'import { expect, test } from "bun:test";\ntest("fails", () => expect(1).toBe(2));',
  exits: 'import { test } from "bun:test";\ntest("exits", () => process.exit(0));\ntest("never runs", () => {});',
  unloadable: 'import "./missing.ts";',
  empty: "export {};",
  environment:
    'import { expect, test } from "bun:test";\nimport { readdirSync } from "node:fs";\n' +
    'test("sees no setting of the user", () => {\n' +
    '  expect(process.env.RALPH_TEST_LEAK).toBeUndefined();\n  expect(readdirSync(process.env.HOME ?? "")).toEqual([]);\n});',
};

let folder = "";
const file = (name: keyof typeof sources) => relative(root, join(folder, `${name}.test.ts`)).replaceAll("\\", "/");

beforeAll(() => {
  // Inside the project, because bun test takes only files below its working folder.
  mkdirSync(join(root, "dist"), { recursive: true });
  folder = mkdtempSync(join(root, "dist", ".bun-test-"));
  for (const [name, source] of Object.entries(sources)) writeFileSync(join(folder, `${name}.test.ts`), source);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  [["good"], false, { passed: 1, failed: 0, skipped: 1 }],
  [["good", "bad"], false, { passed: 1, failed: 1, skipped: 1 }],
  [["good", "exits"], false, { passed: 0, failed: 1, skipped: 0 }],
  [["good", "exits"], true, { passed: 1, failed: 1, skipped: 1 }],
  [["good", "unloadable"], false, { passed: 1, failed: 1, skipped: 1 }],
  [["good", "empty"], false, { passed: 1, failed: 1, skipped: 1 }],
] satisfies [(keyof typeof sources)[], boolean, object][])(
  "the files %o are counted, parallel: %o",
  async (names, parallel, counts) => {
    const verdict = await bunTest(names.map(file), { timeoutMs: 5000, parallel });
    expect(verdict.counts).toEqual(counts);
  },
);

test("a test run's output contains the failures", async () => {
  const { output } = await bunTest([file("bad")], { timeoutMs: 5000, parallel: false });
  expect(output).toMatch(/Expected: 2\s+Received: 1/);
});

test("a test run has a clean environment with an empty home", async () => {
  process.env.RALPH_TEST_LEAK = "1";
  try {
    const { counts } = await bunTest([file("environment")], { timeoutMs: 5000, parallel: false });
    expect(counts).toEqual({ passed: 1, failed: 0, skipped: 0 });
  } finally {
    process.env.RALPH_TEST_LEAK = undefined;
  }
});
