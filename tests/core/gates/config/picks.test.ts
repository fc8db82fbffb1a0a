import { describe, expect, test } from "bun:test";
import { compareGateFiles, type FileChange } from "../../../../src/core/gates/compare.ts";
import { growth, IN_PROPORTION } from "../../../growth.ts";

const JEST = "module.exports = {\n  preset: 'ts-jest',\n};\n";
const VITEST = 'export default defineConfig({\n  test: {\n    environment: "node",\n  },\n});\n';
const PLAYWRIGHT =
  'export default defineConfig({\n  testDir: "./e2e",\n  projects: [{ name: "chromium", use: { ...devices["Desktop Chrome"] } }],\n});\n';
const PYPROJECT = '[tool.pytest.ini_options]\naddopts = "-ra"\n';
const INI = "[pytest]\naddopts = -ra\n";
const ESLINT = 'export default [\n  {\n    rules: {\n      eqeqeq: "error",\n      curly: "error",\n    },\n  },\n];\n';
const TEST = 'test("sums", () => {\n  expect(total([1, 2])).toBe(3);\n});\n';

/** A line put above the one that has a word. */
function above(text: string, word: string, line: string): string {
  const lines = text.split("\n");
  const at = lines.findIndex((one) => one.includes(word));
  return lines.toSpliced(at, 0, ...line.split("\n")).join("\n");
}

const added = (path: string, before: string, word: string, line: string): FileChange => ({
  path,
  before,
  after: above(before, word, line),
});
const moved = (from: string, to: string): FileChange[] => [
  { path: from, before: TEST, after: null },
  { path: to, before: null, after: TEST },
];

describe("a setting takes less than a runner does without it", () => {
  test.each([
    ["one test of jest", added("jest.config.js", JEST, "preset", "  testMatch: ['**/cart.test.ts'],")],
    [
      "some, by name",
      added("jest.config.js", JEST, "preset", "  testMatch: [\n    'src/a.test.ts',\n    'src/b.test.ts',\n  ],"),
    ],
    ["a pattern that is a name", added("jest.config.js", JEST, "preset", "  testRegex: 'cart\\\\.test\\\\.ts$',")],
    ["one test of vitest", added("vitest.config.ts", VITEST, "environment", '    include: ["src/cart.test.ts"],')],
    [
      "one test of playwright",
      added("playwright.config.ts", PLAYWRIGHT, "testDir", "  testMatch: /login\\.spec\\.ts/,"),
    ],
    [
      "one test of mocha",
      { path: ".mocharc.yml", before: "timeout: 9\n", after: "timeout: 9\nspec: test/cart.spec.js\n" },
    ],
    ["files that pytest does not know", added("pyproject.toml", PYPROJECT, "addopts", 'python_files = ["check_*.py"]')],
    ["one file of pytest", added("pytest.ini", INI, "addopts", "python_files = test_cart.py")],
    ["one path of pytest", added("pytest.ini", INI, "addopts", "testpaths =\n    tests/test_cart.py")],
    ["some functions", added("pyproject.toml", PYPROJECT, "addopts", 'python_functions = ["test_cart*"]')],
    ["other classes", added("pyproject.toml", PYPROJECT, "addopts", 'python_classes = "Check"')],
    ["rules for one file", added("eslint.config.js", ESLINT, "rules", '    files: ["src/b.js"],')],
  ] as const)("%s", (_, change) => {
    expect(compareGateFiles([change], [])).toMatchObject({
      kind: "weaker",
      reasons: [{ line: expect.any(Number), what: expect.stringContaining("it looks at less: ") }],
    });
  });

  test("in a manifest as well", () => {
    const text = (jest: object) => JSON.stringify({ scripts: { test: "jest" }, jest });
    const change = { path: "package.json", before: text({}), after: text({ testMatch: ["**/a.test.ts"] }) };
    expect(compareGateFiles([change])).toMatchObject({ kind: "weaker", reasons: [{ line: null }] });
  });
});

describe("a setting that says the same as the runner is no alarm", () => {
  test.each([
    ["a folder", added("jest.config.js", JEST, "preset", "  testMatch: ['<rootDir>/src/**/*.test.ts'],")],
    [
      "one of them by name",
      added(
        "vitest.config.ts",
        VITEST,
        "environment",
        '    include: [\n      "src/**/*.test.ts",\n      "test/smoke.test.ts",\n    ],',
      ),
    ],
    [
      "alternatives",
      added("vitest.config.ts", VITEST, "environment", '    include: ["**/*.@(test|spec).?(c|m)[jt]s?(x)"],'),
    ],
    [
      "a pattern",
      added("jest.config.js", JEST, "preset", "  testRegex: '(/__tests__/.*|(\\\\.|/)(test|spec))\\\\.[jt]sx?$',"),
    ],
    ["how names end", added("jest.config.js", JEST, "preset", "  testRegex: '.e2e-spec.ts$',")],
    ["roots", added("jest.config.js", JEST, "preset", "  roots: ['<rootDir>/src', '<rootDir>/test'],")],
    [
      "a file that brings the others",
      { path: ".mocharc.yml", before: "timeout: 9\n", after: "timeout: 9\nspec: test/index.js\n" },
    ],
    [
      "a project that comes before others",
      {
        path: "playwright.config.ts",
        before: PLAYWRIGHT,
        after: PLAYWRIGHT.replace("[{ name", '[{ name: "setup", testMatch: "tests/log-in.ts" }, { name'),
      },
    ],
    [
      "names of Django",
      added("pyproject.toml", PYPROJECT, "addopts", 'python_files = ["tests.py", "test_*.py", "*_tests.py"]'),
    ],
    [
      "what pytest does by itself",
      added("pytest.ini", INI, "addopts", "python_files = test_*.py\npython_classes = Test\npython_functions = test"),
    ],
    [
      "more names",
      added(
        "pyproject.toml",
        PYPROJECT,
        "addopts",
        'python_functions = ["test_*", "it_*"]\npython_classes = ["Test*", "Describe*"]',
      ),
    ],
    [
      "a part that is no test",
      { path: "ci.yml", before: "with:\n  a: 1\n", after: "with:\n  a: 1\n  files: tests/junit.xml\n" },
    ],
    [
      "more rules for one file",
      added(
        "eslint.config.js",
        ESLINT,
        "rules",
        '    files: ["src/api.ts"],\n    rules: {\n      semi: "error",\n    },\n  },\n  {',
      ),
    ],
    ["rules for what they are about", added("eslint.config.js", ESLINT, "rules", '    files: ["**/*.{js,mjs}"],')],
  ] as const)("%s", (_, change) => {
    expect(compareGateFiles([change], [])).toEqual({ kind: "adds" });
  });
});

test("files may get the names that a setting begins to know", () => {
  const names = added("pyproject.toml", PYPROJECT, "addopts", 'python_files = ["check_*.py"]');
  const renamed = moved("tests/test_cart.py", "tests/check_cart.py");
  expect(compareGateFiles([names, ...renamed], [])).toEqual({ kind: "adds" });
  expect(compareGateFiles([names, ...renamed], ["tests/test_left.py"]).kind).toBe("weaker");
});

describe("settings that an agent made up to be slow take time in proportion to their length", () => {
  const list = (size: number, entry: (at: number) => string) =>
    `include: [\n${Array.from({ length: size / 20 }, (_, at) => `  "${entry(at)}",`).join("\n")}\n]\n`;
  test.each([
    ["patterns", (size: number) => list(size, (at) => `**/*a*a${at}*/b`)],
    ["names", (size: number) => list(size, (at) => `tests/a${at}.test.ts`)],
    ["settings", (size: number) => "python_files = a_*.py\n".repeat(size / 20)],
    ["blanks", (size: number) => `include: [${" ".repeat(size)}`],
  ])(
    "%s",
    async (_, text) => {
      const kept = Array.from({ length: 1000 }, (_, at) => `tests/${"a".repeat(50)}/a${at}.test.ts`);
      const work = ({ before, after }: { before: string; after: string }) =>
        compareGateFiles(
          [{ path: "vitest.config.ts", before, after }, ...moved("tests/a.test.ts", "b/a.test.ts")],
          kept,
        );
      const come = (size: number) => ({ before: "x\n", after: text(size) });
      const changed = (size: number) => ({ before: text(size), after: text(size).replaceAll("a", "b") });
      expect(await growth(come, work, 80_000)).toBeLessThan(IN_PROPORTION);
      expect(await growth(changed, work, 80_000)).toBeLessThan(IN_PROPORTION);
    },
    60_000,
  );
});
