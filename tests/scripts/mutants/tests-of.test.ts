import { expect, test } from "bun:test";
import { importGraph } from "../../../scripts/mutants/imports.ts";
import { testsOf } from "../../../scripts/mutants/tests-of.ts";

const importing = (...files: string[]) => files.map((file) => `import { x } from "${file}";`).join("\n");

const sources = new Map([
  ["src/core/a.ts", ""],
  ["src/core/b.ts", importing("./a.ts")],
  ["src/view/c.ts", importing("../core/b.ts")],
  ["src/cli/late.ts", 'export const load = () => import("../view/c.ts");'],
  ["src/core/typed.ts", 'import type { A } from "./a.ts";\nimport { type B } from "./a.ts";'],
  ["tests/core/a.test.ts", importing("./given.ts")],
  ["tests/core/given.ts", importing("../../src/core/b.ts")],
  ["tests/core/z.test.ts", importing("../../src/core/a.ts")],
  ["tests/run/b.test.ts", importing("../../src/core/b.ts")],
  ["tests/conformance/c.test.ts", importing("../../src/view/c.ts")],
  ["tests/view/a-direct.test.ts", importing("../../src/core/a.ts")],
  ["tests/view/c.test.ts", importing("../../src/view/c.ts")],
  ["tests/e2e/a.test.ts", importing("../../src/core/a.ts")],
  ["tests/core/typed.test.ts", importing("../../src/core/typed.ts")],
]);
const graph = importGraph(sources);

test("the tests that see a file are its own, then the nearest by imports, then those of the core and of runs", () => {
  expect(testsOf("src/core/a.ts", graph)).toEqual({
    near: ["tests/core/a.test.ts", "tests/core/z.test.ts"],
    far: ["tests/view/a-direct.test.ts", "tests/run/b.test.ts", "tests/conformance/c.test.ts"],
  });
});

test("what imports only types of a file does not see it when it runs", () => {
  expect(testsOf("src/core/a.ts", graph).far).not.toContain("tests/core/typed.test.ts");
});

test("an import() counts as an import", () => {
  expect([...graph.importers("src/view/c.ts").keys()]).toContain("src/cli/late.ts");
  expect([...graph.imported(["src/cli/late.ts"])].sort()).toEqual([
    "src/cli/late.ts",
    "src/core/a.ts",
    "src/core/b.ts",
    "src/view/c.ts",
  ]);
});
