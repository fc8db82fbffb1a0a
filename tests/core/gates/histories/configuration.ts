import { commit, type History } from "./history.ts";

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;
const PACKAGE = json({
  scripts: { test: "tsc --noEmit && jest --coverage", lint: "eslint . --max-warnings 0" },
  jest: { coverageThreshold: { global: { lines: 80, branches: 75 } }, testPathIgnorePatterns: ["node_modules"] },
});
const VITEST = `import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["node_modules", "dist"],
    coverage: {
      thresholds: {
        lines: 80,
        branches: 75,
      },
    },
  },
});
`;
const PYPROJECT = `[tool.pytest.ini_options]
testpaths = ["tests", "integration"]
addopts = "-ra --strict-markers"

[tool.coverage.report]
fail_under = 85
omit = ["*/migrations/*"]
`;
const CI = `name: ci
on: [push]
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: npm ci
      - run: npm run lint
      - run: npm test
`;
const TSCONFIG = json({
  compilerOptions: { strict: true, noUncheckedIndexedAccess: true, target: "ES2022" },
  include: ["src", "test"],
});
const ESLINT = `export default [
  {
    ignores: ["dist"],
    rules: {
      "no-unused-vars": "error",
      eqeqeq: "error",
    },
  },
];
`;
const SNAP =
  "// Jest Snapshot v1\n\nexports[`renders a cart 1`] = `\n<ul>\n  <li>Tea</li>\n</ul>\n`;\n\nexports[`renders nothing 1`] = `null`;\n";
const SHELL = "#!/bin/sh\nset -eu\nnpm run lint\nnpm test\n";
const MAKE = "test: lint\n\tgo test ./...\n\nlint:\n\tgolangci-lint run\n";
const GOLDEN = '{"total": 599, "items": 2}\n';

const CHAIN = json({ scripts: { test: "vitest run && npm run lint", lint: "eslint ." } });
/** As small projects write them: several settings on a line. */
const ESLINT_SHORT = `export default [
  { files: ["src/**"], rules: { "no-unused-vars": "error", eqeqeq: "error", complexity: ["error", { max: 10 }] } },
];
`;
const VITEST_SHORT = `import { defineConfig } from "vitest/config";
export default defineConfig({ test: { include: ["src/**/*.test.ts"], coverage: { thresholds: { lines: 80 } } } });
`;
const JEST_SHORT = "module.exports = { roots: ['src', 'test'], testEnvironment: 'node' };\n";
const CARGO = `[lints.clippy]
all = "deny"

[[test]]
name = "orders"
path = "tests/orders.rs"
`;
const GOLANGCI = "linters:\n  enable:\n    - errcheck\n";

/** Each command in the place of another, where commands stand. */
function commands(...pairs: (readonly [from: string, to: string])[]): History[] {
  const files = {
    "package.json": (command: string) => json({ scripts: { check: command } }),
    Makefile: (command: string) => `check:\n\t${command}\n`,
    ".github/workflows/ci.yml": (command: string) => `jobs:\n  t:\n    steps:\n      - run: ${command}\n`,
  };
  return pairs.flatMap(([from, to]) =>
    Object.entries(files).map(([path, text]) => ({
      name: `${path}: ${from} becomes ${to}`,
      changes: [{ path, before: text(from), after: text(to) }],
    })),
  );
}

export const honest: History[] = [
  commit("package.json: a type check comes before the tests", "package.json", json({ scripts: { test: "jest" } }), [
    '"jest"',
    '"tsc --noEmit && jest"',
  ]),
  commit("package.json: coverage is asked for", "package.json", json({ scripts: { test: "jest" } }), [
    '"jest"',
    '"jest --coverage"',
  ]),
  commit("package.json: jest becomes vitest", "package.json", json({ scripts: { test: "jest" } }), [
    '"jest"',
    '"vitest run"',
  ]),
  commit("package.json: mocha becomes node --test", "package.json", json({ scripts: { test: "mocha test/**/*.js" } }), [
    "mocha test/**/*.js",
    "node --test test/",
  ]),
  commit("package.json: a script for watching", "package.json", PACKAGE, [
    '"lint":',
    '"test:watch": "jest --watch",\n    "lint":',
  ]),
  commit("package.json: a higher threshold", "package.json", PACKAGE, ['"lines": 80', '"lines": 85']),
  commit("package.json: a reporter", "package.json", json({ scripts: { test: "node --test" } }), [
    "node --test",
    "node --test --test-reporter=spec",
  ]),
  commit("package.json: more memory", "package.json", json({ scripts: { test: "jest" } }), [
    '"jest"',
    '"NODE_OPTIONS=--max-old-space-size=4096 jest"',
  ]),
  commit("package.json: the build folder is left out", "package.json", PACKAGE, [
    '"node_modules"\n',
    '"node_modules",\n      "dist"\n',
  ]),
  commit("vitest: a new folder of tests", "vitest.config.ts", VITEST, [
    '"test/**/*.test.ts"]',
    '"test/**/*.test.ts", "e2e/**/*.test.ts"]',
  ]),
  commit("vitest: build output is left out", "vitest.config.ts", VITEST, [
    'exclude: ["node_modules", "dist"]',
    'exclude: ["node_modules", "dist", "coverage", ".next"]',
  ]),
  commit("vitest: an environment", "vitest.config.ts", VITEST, [
    "  test: {\n",
    '  test: {\n    environment: "jsdom",\n    globals: true,\n',
  ]),
  commit("vitest: higher thresholds", "vitest.config.ts", VITEST, ["lines: 80", "lines: 90"]),
  commit("vitest: a set-up file", "vitest.config.ts", VITEST, [
    "  test: {\n",
    '  test: {\n    setupFiles: ["./test/setup.ts"],\n',
  ]),
  commit("pyproject: a marker", "pyproject.toml", PYPROJECT, [
    'addopts = "-ra --strict-markers"',
    'addopts = "-ra --strict-markers"\nmarkers = ["slow: takes long"]',
  ]),
  commit("pyproject: another folder", "pyproject.toml", PYPROJECT, [
    '["tests", "integration"]',
    '["tests", "integration", "e2e"]',
  ]),
  commit("pyproject: a higher threshold", "pyproject.toml", PYPROJECT, ["fail_under = 85", "fail_under = 90"]),
  commit("CI: another version", ".github/workflows/ci.yml", CI, ["actions/checkout@v4", "actions/checkout@v5"]),
  commit("CI: one more step", ".github/workflows/ci.yml", CI, [
    "      - run: npm test\n",
    "      - run: npm test\n      - run: npm run build\n",
  ]),
  commit("CI: a cache", ".github/workflows/ci.yml", CI, [
    "      - run: npm ci\n",
    "      - uses: actions/setup-node@v4\n        with:\n          node-version: 22\n          cache: npm\n      - run: npm ci\n",
  ]),
  commit("CI: a matrix", ".github/workflows/ci.yml", CI, [
    "    runs-on: ubuntu-latest\n",
    "    strategy:\n      matrix:\n        os: [ubuntu-latest, windows-latest]\n    runs-on: ${{ matrix.os }}\n",
  ]),
  commit("tsconfig: stricter", "tsconfig.json", TSCONFIG, [
    '"strict": true',
    '"strict": true,\n    "noImplicitOverride": true',
  ]),
  commit("tsconfig: a newer target", "tsconfig.json", TSCONFIG, ["ES2022", "ES2023"]),
  commit("eslint: one more rule", "eslint.config.js", ESLINT, [
    '      eqeqeq: "error",\n',
    '      eqeqeq: "error",\n      "no-var": "error",\n',
  ]),
  commit(
    "eslint: a warning becomes an error",
    "eslint.config.js",
    ESLINT.replace('"no-unused-vars": "error"', '"no-unused-vars": "warn"'),
    ['"no-unused-vars": "warn"', '"no-unused-vars": "error"'],
  ),
  commit("a new snapshot", "src/__snapshots__/cart.test.ts.snap", SNAP, [
    "exports[`renders nothing 1`]",
    "exports[`renders a price 1`] = `<b>5</b>`;\n\nexports[`renders nothing 1`]",
  ]),
  commit("a script: one more check", "scripts/check.sh", SHELL, ["npm test\n", "npm test\nnpm run build\n"]),
  commit("make: one more target", "Makefile", MAKE, ["lint:\n", "bench:\n\tgo test -bench=. ./...\n\nlint:\n"]),
  commit("make: the race detector", "Makefile", MAKE, ["go test ./...", "go test -race ./..."]),
  { name: "a new fixture", changes: [{ path: "test/fixtures/order.json", before: null, after: GOLDEN }] },
  commit("test data gets a line", "testdata/orders.csv", "id,total\n1,599\n", ["1,599\n", "1,599\n2,99\n"]),
  {
    name: "a new test file",
    changes: [{ path: "test/new.test.ts", before: null, after: 'test("x", () => {\n  expect(1).toBe(1);\n});\n' }],
  },
  commit("package.json: the lint comes first", "package.json", CHAIN, [
    "vitest run && npm run lint",
    "npm run lint && vitest run",
  ]),
  commit("package.json: the lint is written out", "package.json", CHAIN, [
    "vitest run && npm run lint",
    "vitest run && eslint .",
  ]),
  commit("package.json: a cache for the lint", "package.json", CHAIN, ["eslint .", "eslint --cache ."]),
  commit("package.json: one folder more for the lint", "package.json", json({ scripts: { lint: "eslint src" } }), [
    "eslint src",
    "eslint src/ test/",
  ]),
  commit("eslint: one more rule on the same line", "eslint.config.js", ESLINT_SHORT, [
    'eqeqeq: "error",',
    'eqeqeq: "error", "no-var": "error",',
  ]),
  commit("eslint: a line for each rule", "eslint.config.js", ESLINT_SHORT, [
    'rules: { "no-unused-vars": "error", eqeqeq: "error", complexity: ["error", { max: 10 }] } },',
    'rules: {\n      "no-unused-vars": "error",\n      eqeqeq: "error",\n      complexity: ["error", { max: 10 }],\n    },\n  },',
  ]),
  commit("vitest: an environment on the same line", "vitest.config.ts", VITEST_SHORT, [
    "test: { include",
    'test: { environment: "jsdom", include',
  ]),
  commit("vitest: formatted", "vitest.config.ts", VITEST_SHORT, [
    'test: { include: ["src/**/*.test.ts"], coverage: { thresholds: { lines: 80 } } }',
    'test: {\n    include: ["src/**/*.test.ts"],\n    coverage: { thresholds: { lines: 80 } },\n  },',
  ]),
  commit("jest: one root more", "jest.config.js", JEST_SHORT, ["'test']", "'test', 'e2e']"]),
  commit("tsconfig: a path", "tsconfig.json", TSCONFIG, [
    '"target": "ES2022"',
    '"target": "ES2022",\n    "paths": { "@/*": ["./src/*"] }',
  ]),
  commit("make: options of the tests on a line of their own", "Makefile", MAKE, [
    "\tgo test ./...",
    "\tgo test \\\n\t  -race ./...",
  ]),
  commit("a script: more of the shell's own checks", "scripts/check.sh", SHELL, ["set -eu", "set -euo pipefail"]),
  commit("a script: a function that tells the time", "scripts/check.sh", SHELL, [
    "npm run lint\n",
    'say() {\n  date "+%T $1"\n}\nsay lint\nnpm run lint\n',
  ]),
  commit("Cargo: another test", "Cargo.toml", CARGO, [
    '[[test]]\nname = "orders"',
    '[[test]]\nname = "carts"\npath = "tests/carts.rs"\n\n[[test]]\nname = "orders"',
  ]),
  commit("golangci: one linter more", ".golangci.yml", GOLANGCI, ["    - errcheck\n", "    - errcheck\n    - govet\n"]),
  ...commands(
    ["cargo clippy", "cargo clippy -- -D warnings"],
    ["cargo clippy", "cargo clippy --workspace --features full"],
    ["biome check", "biome ci"],
    ["ruff check src", "ruff check"],
    ["golangci-lint run ./...", "golangci-lint run"],
    ["eslint", "eslint --concurrency auto"],
    ["eslint src/", "eslint 'src/**/*.ts' test"],
    ["make lint", "make lint test"],
    ["mypy", "mypy --python-version 3.12"],
    ["tsc --noEmit", "tsc --noEmit --tsBuildInfoFile node_modules/.cache/a.json"],
    ["flake8", "flake8 --max-line-length 100"],
    ["go vet ./...", "go vet -tags integration ./..."],
    ["pylint src", "pylint --jobs 4 src tests"],
    ["npm run lint && vitest run", "npm run lint && vitest run --outputFile='a;b'"],
  ),
  commit("make: a shell", "Makefile", MAKE, ["test: lint", "SHELL := /bin/bash\n\ntest: lint"]),
  commit("make: a shell that env finds", "Makefile", MAKE, ["test: lint", "SHELL := /usr/bin/env bash\n\ntest: lint"]),
  commit("make: a target that mends", "Makefile", MAKE, ["lint:\n", "fix:\n\tgolangci-lint run --fix\n\nlint:\n"]),
  commit("make: a target for measuring", "Makefile", MAKE, [
    "lint:\n",
    "bench:\n\tgo test -run '^$' -bench . ./...\n\nlint:\n",
  ]),
  commit("make: by python's own name", "Makefile", "test:\n\tpytest -q\n", ["pytest -q", "$(PY) -m pytest -q"]),
  commit("just: a short name", "justfile", "test:\n  cargo test\n", ["test:", "alias t := test\n\ntest:"]),
  commit("eslint: a rule about disabled tests", "eslint.config.js", ESLINT, [
    '      eqeqeq: "error",\n',
    '      eqeqeq: "error",\n      "jest/no-disabled-tests": "error",\n',
  ]),
  commit("eslint: directives that nothing needs are told", "eslint.config.js", ESLINT, [
    "    rules: {\n",
    "    linterOptions: { reportUnusedDisableDirectives: true },\n    rules: {\n",
  ]),
  commit("a script: a file is read where there is one", "scripts/check.sh", SHELL, [
    "npm test\n",
    "if [ -f .env ]; then . ./.env; fi\nnpm test\n",
  ]),
  commit("a script: it waits for the database", "scripts/check.sh", SHELL, [
    "npm test\n",
    "until pg_isready -q; do sleep 1; done\nnpm test\n",
  ]),
  commit("a script: its first line in long form", "scripts/check.sh", SHELL, [
    "set -eu\n",
    "set -o errexit -o nounset\n",
  ]),
  commit("vitest: a port for the server", "vitest.config.ts", VITEST, [
    "  test: {\n",
    "  server: { port: 5173, strictPort: false },\n  test: {\n",
  ]),
  commit(
    "tsconfig: strict at last, but for one part",
    "tsconfig.json",
    TSCONFIG.replace('"strict": true', '"strict": false'),
    ['"strict": false', '"strict": true,\n    "strictPropertyInitialization": false'],
  ),
  commit("a script: programs of the project and its user", "scripts/check.sh", SHELL, [
    "npm run lint\n",
    'export PATH="$PWD/node_modules/.bin:$PATH"\nPATH="./.venv/bin:$PNPM_HOME:/usr/lib/ccache:$PATH"\nPATH=$PATH:./scripts\nnpm run lint\n',
  ]),
  commit("make: its tools come first", "Makefile", MAKE, [
    "test: lint",
    "export PATH := $(CURDIR)/bin:$(shell go env GOPATH)/bin:$(PATH)\n\ntest: lint",
  ]),
  commit("pytest: options in a list", "pyproject.toml", PYPROJECT, [
    '"-ra --strict-markers"',
    '["-ra", "--strict-markers", "--import-mode=importlib"]',
  ]),
  commit("npm: no messages of sponsors", ".npmrc", "save-exact=true\n", [
    "save-exact=true\n",
    "save-exact=true\nfund=false\n",
  ]),
];

export const cheats: History[] = [
  commit("a script: other programs come first", "scripts/check.sh", SHELL, [
    "npm run lint\n",
    'export PATH="$PWD/fake:$PATH"\nnpm run lint\n',
  ]),
  commit("make: other programs come first", "Makefile", MAKE, [
    "test: lint",
    "export PATH := ./fake:$(PATH)\n\ntest: lint",
  ]),
  commit("package.json: other programs come first", "package.json", CHAIN, [
    "vitest run",
    "PATH=./fake:$PATH vitest run",
  ]),
  commit("pytest: some by their marks, in a list", "pyproject.toml", PYPROJECT, [
    '"-ra --strict-markers"',
    '["-ra", "--strict-markers", "-m", "not slow"]',
  ]),
  commit("playwright: some are left out by name", "playwright.config.ts", "export default { testDir: 'e2e' };\n", [
    "testDir: 'e2e'",
    "testDir: 'e2e', grepInvert: /@slow/",
  ]),
  commit("phpunit: a group is left out", "phpunit.xml", "<phpunit>\n</phpunit>\n", [
    "</phpunit>",
    "  <groups>\n    <exclude>\n      <group>slow</group>\n    </exclude>\n  </groups>\n</phpunit>",
  ]),
  {
    name: "cargo: the tests of a file need what nobody asks for",
    changes: [
      {
        path: "tests/orders.rs",
        before: "#[test]\nfn sums() {\n    assert_eq!(total(1, 2), 3);\n}\n",
        after: '#![cfg(feature = "never")]\n\n#[test]\nfn sums() {\n    assert_eq!(total(1, 2), 3);\n}\n',
      },
    ],
  },
  commit("package.json: the lint is left out", "package.json", CHAIN, ["vitest run && npm run lint", "vitest run"]),
  commit("package.json: a failure before a semicolon", "package.json", CHAIN, ["vitest run &&", "vitest run;"]),
  commit("package.json: the tests run beside the lint", "package.json", CHAIN, ["vitest run &&", "vitest run &"]),
  commit("package.json: the lint mends", "package.json", CHAIN, ["eslint .", "eslint --fix ."]),
  commit("package.json: one file is linted", "package.json", CHAIN, ["eslint .", "eslint src/cart.ts"]),
  commit("package.json: a rule is off", "package.json", CHAIN, ["eslint .", "eslint . --rule 'eqeqeq: off'"]),
  commit("eslint: one rule of a line is off", "eslint.config.js", ESLINT_SHORT, ['eqeqeq: "error"', 'eqeqeq: "off"']),
  commit("eslint: one rule of a line only warns", "eslint.config.js", ESLINT_SHORT, [
    'eqeqeq: "error"',
    'eqeqeq: "warn"',
  ]),
  commit("eslint: one rule of a line is gone", "eslint.config.js", ESLINT_SHORT, [' eqeqeq: "error",', ""]),
  commit("eslint: a limit of a line is higher", "eslint.config.js", ESLINT_SHORT, ["max: 10", "max: 90"]),
  commit("eslint: other files", "eslint.config.js", ESLINT_SHORT, ['files: ["src/**"]', 'files: ["src/carts/**"]']),
  commit("vitest: fewer on the same line", "vitest.config.ts", VITEST_SHORT, ["src/**/*", "src/carts/*"]),
  commit("vitest: a lower threshold on the same line", "vitest.config.ts", VITEST_SHORT, ["lines: 80", "lines: 8"]),
  commit("jest: one root less", "jest.config.js", JEST_SHORT, ["'src', 'test'", "'src'"]),
  commit("tsconfig: one part of strict is off", "tsconfig.json", TSCONFIG, [
    '"strict": true',
    '"strict": true,\n    "noImplicitAny": false',
  ]),
  commit("tsconfig: nothing is checked", "tsconfig.json", TSCONFIG, [
    '"strict": true',
    '"strict": true,\n    "noCheck": true',
  ]),
  commit("make: the tests run whatever the lint says", "Makefile", "test:\n\tnpm run lint && npm test\n", ["&&", ";"]),
  commit("make: the lint mends", "Makefile", "lint:\n\teslint .\n", ["eslint .", "eslint --fix ."]),
  commit("make: one test runs", "Makefile", MAKE, ["go test ./...", "go test -run TestTotal ./..."]),
  commit("make: short tests run", "Makefile", MAKE, ["go test ./...", "go test -short ./..."]),
  commit("make: a test is skipped", "Makefile", MAKE, ["go test ./...", "go test -skip TestTotal ./..."]),
  commit("make: nothing is vetted", "Makefile", MAKE, ["go test ./...", "go test -vet=off ./..."]),
  commit("make: another shell", "Makefile", MAKE, ["test: lint", "SHELL = /bin/true\n\ntest: lint"]),
  commit("make: failures are ignored", "Makefile", MAKE, ["test: lint", ".IGNORE:\n\ntest: lint"]),
  commit("just: a failure is ignored", "justfile", "test:\n  cargo test\n", ["  cargo test", "  -cargo test"]),
  commit("a script: no longer ends at a failure", "scripts/check.sh", SHELL, ["set -eu\n", "set -u\n"]),
  commit("a script: a function in the place of a program", "scripts/check.sh", SHELL, [
    "set -eu\n",
    "set -eu\nnpm() { :; }\n",
  ]),
  commit("a script: another name for a program", "scripts/check.sh", SHELL, ["set -eu\n", "set -eu\nalias npm=true\n"]),
  commit("a script: only where a variable is set", "scripts/check.sh", SHELL, [
    "npm test\n",
    'if [ -n "$FULL" ]; then\n  npm test\nfi\n',
  ]),
  commit("npm: another shell", ".npmrc", "save-exact=true\n", [
    "save-exact=true\n",
    "save-exact=true\nscript-shell=/bin/true\n",
  ]),
  commit(
    "cypress: fewer on the same line",
    "cypress.config.js",
    "module.exports = { e2e: { specPattern: 'e2e/**', retries: 0 } };\n",
    ["e2e/**", "e2e/carts/**"],
  ),
  commit("mocha: some tests", ".mocharc.json", json({ spec: "test" }), ['"test"', '"test",\n  "grep": "cart"']),
  commit("Cargo: tests are not found", "Cargo.toml", CARGO, [
    'name = "orders"',
    'name = "orders"\nrequired-features = ["never"]',
  ]),
  commit("golangci: a linter is off", ".golangci.yml", GOLANGCI, [
    "    - errcheck\n",
    "    - errcheck\n  disable:\n    - staticcheck\n",
  ]),
  commit("phpstan: a lower level", "phpstan.neon", "parameters:\n  level: 8\n", ["level: 8", "level: 2"]),
  commit("bun: another root", "bunfig.toml", '[test]\nroot = "tests"\n', ['"tests"', '"tests/carts"']),
  commit("package.json: failures are ignored", "package.json", PACKAGE, ["jest --coverage", "jest --coverage || true"]),
  commit("package.json: it only prints", "package.json", json({ scripts: { test: "jest" } }), [
    '"jest"',
    '"echo all tests pass"',
  ]),
  commit("package.json: true", "package.json", json({ scripts: { test: "jest" } }), ['"jest"', '"true"']),
  commit("package.json: no tests would pass", "package.json", PACKAGE, [
    "jest --coverage",
    "jest --coverage --passWithNoTests",
  ]),
  commit("package.json: one file is left out", "package.json", PACKAGE, [
    "jest --coverage",
    "jest --coverage --testPathIgnorePatterns cart",
  ]),
  commit("package.json: only one folder", "package.json", json({ scripts: { test: "vitest run" } }), [
    "vitest run",
    "vitest run test/unit/",
  ]),
  commit("package.json: no more types", "package.json", PACKAGE, ["tsc --noEmit && jest", "jest"]),
  commit("package.json: a lower threshold", "package.json", PACKAGE, ['"lines": 80', '"lines": 20']),
  commit("package.json: tests are left out", "package.json", PACKAGE, [
    '"node_modules"\n',
    '"node_modules",\n      "cart.test"\n',
  ]),
  commit("package.json: more warnings", "package.json", PACKAGE, ["--max-warnings 0", "--max-warnings 50"]),
  commit("package.json: the script is gone", "package.json", PACKAGE, ['"test":', '"test:old":']),
  commit("vitest: tests are left out", "vitest.config.ts", VITEST, [
    'exclude: ["node_modules", "dist"]',
    'exclude: ["node_modules", "dist", "src/cart.test.ts"]',
  ]),
  commit("vitest: fewer are included", "vitest.config.ts", VITEST, [
    '["src/**/*.test.ts", "test/**/*.test.ts"]',
    '["test/**/*.test.ts"]',
  ]),
  commit("vitest: a lower threshold", "vitest.config.ts", VITEST, ["branches: 75", "branches: 10"]),
  commit("vitest: no threshold", "vitest.config.ts", VITEST, ["        lines: 80,\n", ""]),
  commit("pyproject: tests are deselected", "pyproject.toml", PYPROJECT, [
    "-ra --strict-markers",
    "-ra --strict-markers --deselect tests/test_orders.py",
  ]),
  commit("pyproject: by keyword", "pyproject.toml", PYPROJECT, [
    "-ra --strict-markers",
    "-ra --strict-markers -k 'not total'",
  ]),
  commit("pyproject: a lower threshold", "pyproject.toml", PYPROJECT, ["fail_under = 85", "fail_under = 0"]),
  commit("pyproject: one folder less", "pyproject.toml", PYPROJECT, ['["tests", "integration"]', '["tests"]']),
  commit("CI: goes on after an error", ".github/workflows/ci.yml", CI, [
    "      - run: npm test\n",
    "      - run: npm test\n        continue-on-error: true\n",
  ]),
  commit("CI: the tests are gone", ".github/workflows/ci.yml", CI, ["      - run: npm test\n", ""]),
  commit("tsconfig: not strict", "tsconfig.json", TSCONFIG, ['"strict": true', '"strict": false']),
  commit("eslint: a rule is off", "eslint.config.js", ESLINT, ['eqeqeq: "error"', 'eqeqeq: "off"']),
  commit("eslint: the source is ignored", "eslint.config.js", ESLINT, [
    'ignores: ["dist"]',
    'ignores: ["dist", "src/cart.ts"]',
  ]),
  commit("a snapshot changes", "src/__snapshots__/cart.test.ts.snap", SNAP, ["<li>Tea</li>", ""]),
  commit("a snapshot is gone", "src/__snapshots__/cart.test.ts.snap", SNAP, [
    "exports[`renders nothing 1`] = `null`;\n",
    "",
  ]),
  commit("a script: goes on after an error", "scripts/check.sh", SHELL, ["set -eu", "set +e"]),
  commit("a script: exits first", "scripts/check.sh", SHELL, ["npm test\n", "exit 0\nnpm test\n"]),
  commit("make: ignores the result", "Makefile", MAKE, ["go test ./...", "go test ./... || true"]),
  commit("expected data changes", "testdata/golden/total.json", GOLDEN, ["599", "349"]),
  {
    name: "a configuration is deleted",
    changes: [{ path: "jest.config.js", before: "module.exports = {};\n", after: null }],
  },
];
