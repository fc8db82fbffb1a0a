import { expect, test } from "bun:test";
import { none } from "../../../scripts/lib/tests/counts.ts";
import { type Layer, layers } from "../../../scripts/lib/tests/layers.ts";
import { layerLine, runInOrder } from "../../../scripts/lib/tests/run-layers.ts";
import { kinds, testFiles, testKind } from "../../../scripts/lib/tests/test-files.ts";

const passing = (name: string, needs?: string): Layer => ({
  name,
  ...(needs === undefined ? {} : { needs }),
  run: async () => ({ counts: { ...none, passed: 1 }, output: "" }),
});
const failing = (name: string): Layer => ({
  name,
  run: async () => ({ counts: { ...none, failed: 2 }, output: "it broke" }),
});

test.each([
  ["tests/architecture.test.ts", "rules"],
  ["tests/core/plan/fix-plan.test.ts", "unit"],
  ["tests/conformance/fix-plan.test.ts", "unit"],
  ["tests/e2e/demo.test.ts", "e2e"],
  ["tests/fault/kill.test.ts", "fault"],
  ["tests/deno/cli.test.ts", "deno"],
  ["tests/agents-e2e/claude-code.test.ts", "agents"],
] as const)("%s is of kind %s", (file, kind) => expect(testKind(file)).toBe(kind));

test("every kind of test file except the agents' has a layer", () => {
  const names = layers.map(({ name }) => name);
  expect(kinds.filter((kind) => !names.includes(kind))).toEqual(["agents"]);
});

test("every test file has exactly one kind", () => {
  const found = kinds.flatMap((kind) => testFiles(kind));
  expect(new Set(found).size).toBe(found.length);
  expect(found).toContain("tests/scripts/tests/layers.test.ts");
});

test("a layer comes after the layers that it needs", () => {
  const names = layers.map(({ name }) => name);
  for (const { name, needs } of layers) {
    if (needs !== undefined) expect(names.slice(0, names.indexOf(name))).toContain(needs);
  }
});

test("layers run in order, and a layer whose need failed fails without running", async () => {
  const reported: string[] = [];
  const done = await runInOrder([failing("build"), passing("e2e", "build"), passing("deno")], ({ name }) =>
    reported.push(name),
  );
  expect(reported).toEqual(["build", "e2e", "deno"]);
  expect(done.map(({ counts }) => counts.failed)).toEqual([2, 1, 0]);
  expect(done[1]?.output).toBe("not run: build failed\n");
});

test.each([
  [{ passed: 12, failed: 0, skipped: 0 }, "ok    unit          1.5 s  12 passed"],
  [{ passed: 12, failed: 1, skipped: 2 }, "FAIL  unit          1.5 s  12 passed, 1 failed, 2 skipped"],
  [{ passed: 0, failed: 0, skipped: 0 }, "-     unit          1.5 s  0 passed"],
])("the layer %o is shown on one line", (counts, line) =>
  expect(layerLine({ name: "unit", ms: 1523, counts })).toBe(line),
);
