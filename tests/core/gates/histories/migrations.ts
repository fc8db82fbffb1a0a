import { commit, edited, type History } from "./history.ts";

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
const TEST = 'import { total } from "./cart";\n\ntest("sums", () => {\n  expect(total([1, 2])).toBe(3);\n});\n';
const VITEST = `import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts"],
    environment: "node",
  },
});
`;
const JEST = `module.exports = {
  preset: "ts-jest",
  testEnvironment: "node",
  moduleNameMapper: { "^@/(.*)$": "<rootDir>/src/$1" },
};
`;
const PLAYWRIGHT = `export default defineConfig({
  testDir: "./e2e",
  projects: [{ name: "chromium", use: { ...devices["Desktop Chrome"] } }],
});
`;
const TSESLINT = `import tseslint from "typescript-eslint";
export default tseslint.config(
  ...tseslint.configs.recommended,
  { rules: { eqeqeq: "error" } },
);
`;

/** What projects go through as they grow, and when their tools do. */
export const honest: History[] = [
  {
    name: "monorepo: one more package",
    changes: [
      {
        path: "packages/new/package.json",
        before: null,
        after: json({
          name: "@shop/new",
          scripts: { test: "vitest run", lint: "eslint .", typecheck: "tsc --noEmit" },
        }),
      },
      {
        path: "packages/new/tsconfig.json",
        before: null,
        after: json({ extends: "../../tsconfig.base.json", compilerOptions: { rootDir: "src" }, include: ["src"] }),
      },
      { path: "packages/new/src/index.test.ts", before: null, after: TEST },
      {
        path: "tsconfig.json",
        before: json({ files: [], references: [{ path: "packages/a" }] }),
        after: json({ files: [], references: [{ path: "packages/a" }, { path: "packages/new" }] }),
      },
    ],
  },
  {
    name: "vitest: unit and end-to-end tests have a configuration each",
    changes: [
      {
        path: "vitest.config.ts",
        before: VITEST,
        after: edited(VITEST, ['["src/**/*.test.ts"]', '["src/**/*.test.ts", "tests/unit/**/*.test.ts"]']),
      },
      {
        path: "vitest.e2e.config.ts",
        before: null,
        after: edited(VITEST, ["src/**", "tests/e2e/**"], ['"node",', '"node",\n    testTimeout: 60_000,']),
      },
      {
        path: "package.json",
        before: json({ scripts: { test: "vitest run" } }),
        after: json({
          scripts: { test: "vitest run && npm run test:e2e", "test:e2e": "vitest run --config vitest.e2e.config.ts" },
        }),
      },
    ],
  },
  {
    name: "vitest: a file of set-up for the DOM",
    changes: [
      {
        path: "vitest.config.ts",
        before: VITEST,
        after: edited(VITEST, [
          '    environment: "node"',
          '    setupFiles: ["./tests/setup.ts"],\n    environment: "jsdom"',
        ]),
      },
      {
        path: "tests/setup.ts",
        before: null,
        after:
          'import "@testing-library/jest-dom/vitest";\nimport { cleanup } from "@testing-library/react";\nimport { afterEach } from "vitest";\n\nafterEach(() => {\n  cleanup();\n});\n',
      },
    ],
  },
  {
    name: "pytest: its settings move to the project's",
    changes: [
      { path: "pytest.ini", before: "[pytest]\naddopts = -ra\ntestpaths = tests\n", after: null },
      {
        path: "pyproject.toml",
        before: '[project]\nname = "shop"\n',
        after: '[project]\nname = "shop"\n\n[tool.pytest.ini_options]\naddopts = "-ra"\ntestpaths = ["tests"]\n',
      },
    ],
  },
  {
    name: "coverage: nyc becomes c8",
    changes: [
      {
        path: "package.json",
        before: json({ scripts: { test: "nyc mocha" }, nyc: { "check-coverage": true, lines: 90 } }),
        after: json({ scripts: { test: "c8 mocha" }, c8: { "check-coverage": true, lines: 90 } }),
      },
    ],
  },
  commit("vitest: a project for each package", "vitest.config.ts", VITEST, [
    '    environment: "node",\n',
    '    environment: "node",\n    projects: ["packages/*", "apps/*"],\n',
  ]),
  commit("jest: a project for the DOM", "jest.config.js", JEST, [
    '  preset: "ts-jest",\n  testEnvironment: "node",\n',
    '  projects: [\n    { displayName: "unit", preset: "ts-jest", testMatch: ["<rootDir>/src/**/*.test.ts"] },\n    { displayName: "dom", preset: "ts-jest", testEnvironment: "jsdom", testMatch: ["<rootDir>/src/**/*.test.tsx"] },\n  ],\n',
  ]),
  commit("jest: matchers and set-up", "jest.config.js", JEST, [
    "  preset",
    '  setupFilesAfterEnv: ["<rootDir>/jest.setup.ts", "@testing-library/jest-dom"],\n  preset',
  ]),
  commit("jest: aliases are those of TypeScript", "jest.config.js", JEST, [
    '{ "^@/(.*)$": "<rootDir>/src/$1" }',
    'pathsToModuleNameMapper(compilerOptions.paths, { prefix: "<rootDir>/" })',
  ]),
  commit("jest: the source has another folder", "jest.config.js", JEST, ["<rootDir>/src/$1", "<rootDir>/app/$1"]),
  commit("playwright: somebody logs in first, and one more browser", "playwright.config.ts", PLAYWRIGHT, [
    "  projects: [{",
    '  projects: [\n    { name: "setup", testMatch: /.*\\.setup\\.ts/ },\n    { name: "firefox", use: { ...devices["Desktop Firefox"] } },\n    {',
  ]),
  commit(
    "cypress: tests of components",
    "cypress.config.js",
    "module.exports = defineConfig({\n  e2e: { specPattern: 'cypress/e2e/**/*.cy.js' },\n});\n",
    ["});", "  component: { specPattern: 'src/**/*.cy.jsx' },\n});"],
  ),
  commit("eslint: its own way to define a configuration", "eslint.config.js", TSESLINT, [
    "tseslint.config(\n  ...",
    "defineConfig(\n  ",
  ]),
  commit(
    "turbo: the second version",
    "turbo.json",
    json({
      pipeline: { build: { outputs: ["dist/**"] }, test: { dependsOn: ["build"], inputs: ["src/**"] }, lint: {} },
    }),
    ['"pipeline"', '"ui": "tui",\n  "tasks"'],
  ),
  commit(
    "make: tests of the whole have a target",
    "Makefile",
    "test:\n\tgo test ./...\n\nlint:\n\tgolangci-lint run\n",
    ["lint:", "integration:\n\tgo test -tags integration ./...\n\nlint:"],
  ),
  commit(
    "phpunit: one more suite",
    "phpunit.xml",
    '<phpunit>\n  <testsuites>\n    <testsuite name="unit">\n      <directory>tests/Unit</directory>\n    </testsuite>\n  </testsuites>\n</phpunit>\n',
    [
      "  </testsuites>",
      '    <testsuite name="whole">\n      <directory>tests/Whole</directory>\n    </testsuite>\n  </testsuites>',
    ],
  ),
];

export const cheats: History[] = [];
