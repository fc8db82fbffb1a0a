import { describe, expect, test } from "bun:test";
import { compareGateFiles, type FileChange } from "../../../../src/core/gates/compare.ts";

const VITEST = 'export default defineConfig({\n  test: {\n    include: ["src/**/*.test.ts"],\n  },\n});\n';
const PLAYWRIGHT = 'export default defineConfig({\n  testDir: "./e2e",\n});\n';
const TEST = 'test("sums", () => {\n  expect(total([1, 2])).toBe(3);\n});\n';

const moved = (from: string, to: string): FileChange[] => [
  { path: from, before: TEST, after: null },
  { path: to, before: null, after: TEST },
];

describe("a list of paths", () => {
  test.each([
    ["**/*.test.ts"],
    ["src/**/*.test.ts?(x)"],
    ["**/*.{test,spec}.?(c|m)[jt]s?(x)"],
    ["{src,test}/**/*.@(test|spec).ts"],
    ["src"],
  ])("may be wider: %s", (wider) => {
    const after = VITEST.replace("src/**/*.test.ts", wider);
    expect(compareGateFiles([{ path: "vitest.config.ts", before: VITEST, after }])).toEqual({ kind: "adds" });
  });

  test.each([
    ["src/cart/**/*.test.ts"],
    ["src/**/cart.test.ts"],
    ["src/*.test.ts"],
    ["test/**/*.test.ts"],
    ["!src/**"],
  ])("is told where it takes less: %s", (less) => {
    const after = VITEST.replace("src/**/*.test.ts", less);
    expect(compareGateFiles([{ path: "vitest.config.ts", before: VITEST, after }], []).kind).toBe("weaker");
  });

  test("of rules is none: one that is like another is not in it", () => {
    const [before, after] = ["airbnb/hooks", "airbnb"].map((name) => `{\n  "extends": ["${name}"]\n}\n`);
    expect(compareGateFiles([{ path: ".eslintrc.json", before: before ?? "", after: after ?? "" }]).kind).toBe(
      "weaker",
    );
  });
});

describe("tests that move with the setting that names their place", () => {
  const folders = {
    path: "playwright.config.ts",
    before: PLAYWRIGHT,
    after: PLAYWRIGHT.replace("./e2e", "./tests/e2e"),
  };
  const files = [
    ...moved("e2e/cart.spec.ts", "tests/e2e/cart.spec.ts"),
    ...moved("e2e/a.spec.ts", "tests/e2e/a.spec.ts"),
  ];

  test("are no alarm, if none is left behind", () => {
    expect(compareGateFiles([folders, ...files], ["src/b.test.ts"])).toEqual({ kind: "adds" });
    expect(compareGateFiles([folders, ...files], ["src/b.test.ts", "e2e/left.spec.ts"]).kind).toBe("weaker");
    expect(compareGateFiles([folders], []).kind).toBe("weaker");
  });

  test("are one where nobody knows what was left behind", () => {
    expect(compareGateFiles([folders, ...files]).kind).toBe("weaker");
  });

  test("are sought from the folder of the setting", () => {
    const inPackage = [folders, ...files].map((one) => ({ ...one, path: `packages/a/${one.path}` }));
    expect(compareGateFiles(inPackage, ["e2e/other.spec.ts"])).toEqual({ kind: "adds" });
    expect(compareGateFiles(inPackage, ["packages/a/e2e/other.spec.ts"]).kind).toBe("weaker");
  });

  test("may have other names", () => {
    const change = { path: "vitest.config.ts", before: VITEST, after: VITEST.replace("*.test", "*.spec") };
    expect(compareGateFiles([change, ...moved("src/cart.test.ts", "src/cart.spec.ts")], [])).toEqual({ kind: "adds" });
    expect(compareGateFiles([change, ...moved("src/cart.test.ts", "src/other.spec.ts")], []).kind).toBe("weaker");
  });
});
