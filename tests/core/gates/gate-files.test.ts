import { describe, expect, test } from "bun:test";
import { weakerConfigs } from "../../../src/core/gates/config-changes.ts";
import { gateParts, withFrozenParts } from "../../../src/core/gates/frozen-parts.ts";
import { gateFileRules, hiddenFromTree, isCheck, isGateFile } from "../../../src/core/gates/gate-files.ts";

const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`;

/** The rules of a project with these files. */
function rulesOf(commands: string[], files: Record<string, string> = {}, extra: string[] = []) {
  return gateFileRules({ commands, extra, read: (path) => files[path] ?? null });
}

describe("a file that is nothing but a check", () => {
  const rules = (command: string, extra: string[] = []) => {
    const path = command.split(" ").at(-1)?.replace("./", "") ?? "";
    return { path, rules: rulesOf([command], { [path]: "set -e" }, extra) };
  };

  test.each([
    "sh check.sh",
    "./scripts/ci",
    "bash tools/run-checks.sh",
    "python3 verify.py",
    "sh .ralph/check.sh",
    "node scripts/runtests.mjs",
    "sh test.sh",
  ])("is the script of `%s`", (command) => {
    const { path, rules: of } = rules(command);
    expect([isGateFile(path, of), isCheck(path, of)]).toEqual([true, true]);
  });

  test.each(["python3 todo.py", "node linkcheck.js", "sh run.sh", "pytest tests/test_cart.py", "sh cart_test.sh"])(
    "is not that of `%s`, which may be the work, or a test",
    (command) => {
      const { path, rules: of } = rules(command);
      expect([isGateFile(path, of), isCheck(path, of)]).toEqual([true, false]);
    },
  );

  test("is what the user names, and not what has such a name alone", () => {
    const of = rulesOf(["npm test"], { "check.sh": "" }, ["tools/"]);
    expect([isCheck("tools/rules.py", of), isCheck("check.sh", of)]).toEqual([true, false]);
  });

  test("is looked for beside the tree in .ralph, or where it is a script", () => {
    const files = { ".ralph/a.sh": "", "build/check.sh": "", "build/check": "", "todo.py": "" };
    const commands = ["sh .ralph/a.sh", "sh build/check.sh", "build/check", "python3 todo.py"];
    expect(hiddenFromTree(rulesOf(commands, files))).toEqual([".ralph/a.sh", "build/check.sh"]);
  });
});

describe("a gate file", () => {
  test.each([
    "src/cart.test.ts",
    "tests/test_orders.py",
    "cart/cart_test.go",
    "src/test/java/CartTest.java",
    "spec/cart_spec.rb",
    "src/__snapshots__/cart.snap",
    "jest.config.js",
    "packages/a/vitest.config.ts",
    "pytest.ini",
    "pyproject.toml",
    ".github/workflows/ci.yml",
    ".nycrc.json",
  ])("is %s, whatever the command", (path) => {
    expect(isGateFile(path, rulesOf(["make check"]))).toBe(true);
  });

  test.each([
    "src/cart.ts",
    "README.md",
    "docs/testing.md",
    "src/contest.ts",
    ".ralph/@fix_plan.md",
    ".ralph/specs/a.test.md",
  ])("is not %s", (path) => {
    expect(isGateFile(path, rulesOf(["npm test"]))).toBe(false);
  });

  test("is what the scripts of package.json name, however deep", () => {
    const files = {
      "package.json": json({
        scripts: {
          test: "npm run check && npm run -s unit",
          check: "sh scripts/check.sh",
          unit: "node scripts/unit.mjs",
        },
      }),
      "scripts/check.sh": "#!/bin/sh\nnode tools/lint.js\n",
      "scripts/unit.mjs": "",
      "tools/lint.js": "",
      "tools/other.js": "",
    };
    const rules = rulesOf(["npm test"], files);
    for (const path of ["package.json", "scripts/check.sh", "scripts/unit.mjs", "tools/lint.js"])
      expect(isGateFile(path, rules)).toBe(true);
    expect(isGateFile("tools/other.js", rules)).toBe(false);
    expect([...rules.scripts].sort()).toEqual(["check", "test", "unit"]);
  });

  test("is a script that runs itself", () => {
    const files = { "package.json": json({ scripts: { test: "npm test" } }) };
    expect(isGateFile("package.json", rulesOf(["npm test"], files))).toBe(true);
  });

  test("is the program of a command, but not the work in src", () => {
    const files = { "check.sh": "true", "src/main.ts": "", "ci/run": "" };
    const rules = rulesOf(["./check.sh", "bun src/main.ts --check", "CI=1 timeout 60 ci/run"], files);
    expect(isGateFile("check.sh", rules)).toBe(true);
    expect(isGateFile("ci/run", rules)).toBe(true);
    expect(isGateFile("src/main.ts", rules)).toBe(false);
  });

  test.each([
    ["tsc --noEmit", "tsconfig.build.json"],
    ["npx eslint .", "eslint.config.mjs"],
    ["ruff check", "ruff.toml"],
    ["cargo clippy", "Cargo.toml"],
    ["./gradlew test", "build.gradle.kts"],
    ["uv run mypy .", "mypy.ini"],
    ["mix test", "mix.exs"],
  ])("of %s is what it reads by itself: %s", (command, path) => {
    expect(isGateFile(path, rulesOf([command]))).toBe(true);
    expect(isGateFile(path, rulesOf(["true"]))).toBe(false);
  });

  test("is a Makefile that the command runs", () => {
    expect(isGateFile("Makefile", rulesOf(["make test"], { Makefile: "test:\n\tgo test\n" }))).toBe(true);
    expect(isGateFile("Makefile", rulesOf(["go test ./..."], { Makefile: "x:\n" }))).toBe(false);
  });

  test.each([
    ["cd web && npm test", "web/package.json", "web/check.sh"],
    ["npm --prefix web test", "web/package.json", "web/check.sh"],
    ["npm --prefix=./web test", "web/package.json", "web/check.sh"],
    ["pnpm -C web test", "web/package.json", "web/check.sh"],
    ["npm test -w web", "web/package.json", "package.json"],
    ["yarn workspace web test", "web/package.json", "package.json"],
    ["pnpm --filter web run test", "web/package.json", "package.json"],
    ["npx jest", "package.json", "jest.config.js"],
    ["npm run all", "package.json", "tools/unit.sh"],
    ["make -s test", "Makefile", "scripts/t.sh"],
    ["make", "Makefile", "scripts/t.sh"],
    ["just check", "justfile", "scripts/t.sh"],
    ["composer test", "composer.json", "bin/t.sh"],
    ["deno task check", "deno.jsonc", "deno.jsonc"],
    ["deno task unit", "deno.json", "bin/t.sh"],
    ["python -m ruff check", ".ruff.toml", "ruff.toml"],
    ["bundle exec rubocop", ".rubocop.yml", ".rspec"],
    ["mise run test", "mise.toml", "mise.toml"],
    ["dotnet test", "tests/Shop.Tests.csproj", "Directory.Build.props"],
    ["cargo test", "src/lib.rs", "src/tests.rs"],
  ])("of %s is found through folders, packages and tasks: %s, %s", (command, first, second) => {
    const rules = rulesOf([command], {
      "package.json": json({ scripts: { all: "run-s lint unit", unit: "sh tools/unit.sh" } }),
      "tools/unit.sh": "",
      "web/package.json": json({ scripts: { test: "sh check.sh" } }),
      "web/check.sh": "",
      Makefile:
        "BIN := tool\n.PHONY: test\ntest: unit\n\t@echo done\nunit:\n\t-./scripts/t.sh\ndeploy:\n\t./scripts/deploy.sh\n",
      justfile: 'check target="all":\n    ./scripts/t.sh\n',
      "scripts/t.sh": "#!/bin/sh\n",
      "scripts/deploy.sh": "#!/bin/sh\n",
      "composer.json": json({ scripts: { test: ["bash bin/t.sh", "phpunit"] } }),
      "deno.json": json({ tasks: { unit: "sh bin/t.sh" } }),
      "bin/t.sh": "",
      "mise.toml": "[tasks.test]\n",
    });
    for (const path of [first, second]) expect(isGateFile(path, rules)).toBe(true);
    expect(isGateFile("scripts/deploy.sh", rules)).toBe(false);
  });

  test.each([
    "yarn workspaces run test",
    "yarn workspaces foreach -A run test",
    "yarn workspaces foreach --all --parallel run test",
    "yarn workspaces foreach -A --include 'web' --exclude docs -j 4 run test",
    "yarn workspaces foreach -R --from '@shop/*' --jobs unlimited run test",
    "yarn workspace web run test",
  ])("of %s is the script of each package", (command) => {
    const manifest = (test: string) => json({ scripts: { test, start: "node ." } });
    const rules = rulesOf([command], { "web/package.json": manifest("jest") });
    const parts = (test: string) => gateParts("web/package.json", manifest(test), rules);
    expect(parts("true")).not.toBe(parts("jest"));
  });

  test("is what GATE_FILES names", () => {
    const rules = rulesOf(["true"], {}, ["contracts/", "*.schema.json", "db/**/*.sql", "data/??.csv"]);
    for (const path of ["contracts/a/b.txt", "order.schema.json", "db/x/y/z.sql", "db/z.sql", "data/ab.csv"])
      expect(isGateFile(path, rules)).toBe(true);
    for (const path of ["contracts.md", "a/order.schema.json", "db/z.txt", "data/abc.csv"])
      expect(isGateFile(path, rules)).toBe(false);
  });
});

describe("the gate in a manifest", () => {
  const frozen = json({
    name: "a",
    scripts: { test: "jest", start: "node ." },
    jest: { bail: true },
    dependencies: { a: "1" },
  });
  const rules = rulesOf(["npm test"], { "package.json": frozen });

  test("is its scripts that run and the settings of test tools: dependencies and other scripts are work", () => {
    const changed = json({
      name: "b",
      scripts: { test: "jest", start: "node x", dev: "vite" },
      jest: { bail: true },
      dependencies: { a: "2" },
    });
    expect(gateParts("package.json", changed, rules)).toBe(gateParts("package.json", frozen, rules));
    const bent = json({ scripts: { test: "true" }, jest: { bail: true } });
    expect(gateParts("package.json", bent, rules)).not.toBe(gateParts("package.json", frozen, rules));
  });

  test("is laid over the present file, whose other parts stay", () => {
    const now = json({
      name: "b",
      scripts: { test: "true", pretest: "rm -r tests", dev: "vite" },
      vitest: {},
      dependencies: { a: "2", b: "1" },
    });
    expect(JSON.parse(withFrozenParts("package.json", frozen, now, rules))).toEqual({
      name: "b",
      scripts: { test: "jest", dev: "vite" },
      jest: { bail: true },
      dependencies: { a: "2", b: "1" },
    });
  });

  test("is the sections of test tools in pyproject.toml", () => {
    const before = '[project]\nname = "a"\n\n[tool.pytest.ini_options]\naddopts = "-ra"\n';
    const now = '[project]\nname = "a"\ndependencies = ["x"]\n\n[tool.pytest.ini_options]\naddopts = "-k nothing"\n';
    const some = rulesOf(["pytest"]);
    expect(gateParts("pyproject.toml", before, some)).toBe('[tool.pytest.ini_options]\naddopts = "-ra"\n');
    expect(withFrozenParts("pyproject.toml", before, now, some)).toBe(
      '[project]\nname = "a"\ndependencies = ["x"]\n\n[tool.pytest.ini_options]\naddopts = "-ra"\n',
    );
  });

  test("is the whole of any other file", () => {
    expect(gateParts("a.test.ts", "x", rules)).toBe("x");
    expect(withFrozenParts("a.test.ts", "x", "y", rules)).toBe("x");
  });

  test("that is broken is compared as a whole, and the frozen one takes its place", () => {
    expect(gateParts("package.json", "{", rules)).toBe("{");
    expect(withFrozenParts("package.json", frozen, "{", rules)).toBe(frozen);
  });

  test.each([
    ["build.gradle", "plugins {\n}\ntest {\n}\n", "test {\n", "test {\n  ignoreFailures = true\n"],
    ["build.gradle.kts", "tasks.test {\n}\n", "tasks.test {\n", "tasks.test {\n  enabled = false\n"],
    [
      "pom.xml",
      "<properties>\n</properties>\n",
      "<properties>\n",
      "<properties>\n<maven.test.skip>true</maven.test.skip>\n",
    ],
    ["mix.exs", "def project do\n  []\nend\n", "  []\n", '  [test_pattern: "none"]\n'],
    ["Shop.csproj", "<Project>\n</Project>\n", "<Project>\n", '<Project>\n<Compile Remove="CartTests.cs" />\n'],
  ])("in the build file %s is seen to change, and is laid over the present one", (path, frozen, from, to) => {
    const some = rulesOf(["./gradlew test", "mvn test", "mix test", "dotnet test"]);
    const bent = frozen.replace(from, to);
    expect(isGateFile(path, some)).toBe(true);
    expect(gateParts(path, bent, some)).not.toBe(gateParts(path, frozen, some));
    expect(gateParts(path, withFrozenParts(path, frozen, bent, some), some)).toBe(gateParts(path, frozen, some));
  });

  test("in a build file comes back to its old place, and a new dependency stays", () => {
    const frozen = 'plugins {\n  id("java")\n}\ndependencies {\n}\ntest {\n  useJUnitPlatform()\n}\n';
    const now = frozen
      .replace("dependencies {\n", 'dependencies {\n  implementation("okio")\n')
      .replace("  useJUnitPlatform()\n", "  ignoreFailures = true\n");
    expect(withFrozenParts("build.gradle", frozen, now, rulesOf(["./gradlew test"]))).toBe(
      frozen.replace("dependencies {\n", 'dependencies {\n  implementation("okio")\n'),
    );
  });

  test("in a source file of Rust is its tests, and the work around them stays", () => {
    const tests =
      "#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(add(1, 2), 3);\n    }\n}\n";
    const frozen = `fn add(a: i32, b: i32) -> i32 { a - b }\n\n${tests}`;
    const fixed = frozen.replace("a - b", "a + b");
    const bent = fixed.replace("        assert_eq!(add(1, 2), 3);\n", "");
    const some = rulesOf(["cargo test"]);
    expect(isGateFile("src/lib.rs", some)).toBe(true);
    expect(gateParts("src/lib.rs", frozen, some)).toBe(tests);
    expect(gateParts("src/lib.rs", fixed, some)).toBe(tests);
    expect(withFrozenParts("src/lib.rs", frozen, bent, some)).toBe(fixed);
    expect(gateParts("src/lib.rs", "#[cfg(test)]\nuse a::b;\nfn f() {}\n", some)).toBe("#[cfg(test)]\nuse a::b;\n");
  });

  test("in TOML is whole, though a list in it looks like a heading", () => {
    const before = '[tool.poe.tasks.test]\nsequence = [\n  ["old"],\n]\n[project]\nname = "a"\n';
    expect(withFrozenParts("pyproject.toml", before, before.replace("old", "new"), rulesOf(["pytest"]))).toBe(
      '[project]\nname = "a"\n[tool.poe.tasks.test]\nsequence = [\n  ["old"],\n]\n',
    );
  });
});

test("a manifest that is nested too deep is compared and put back as one that is broken", () => {
  const rules = rulesOf(["npm test"]);
  const frozen = json({ scripts: { test: "jest" } });
  const deep = `{"scripts":{"test":"jest"},"jest":${'{"a":'.repeat(60_000)}1${"}".repeat(60_000)}}`;
  expect(gateParts("package.json", deep, rules)).toBe(deep);
  expect(withFrozenParts("package.json", frozen, deep, rules)).toBe(frozen);
  expect(weakerConfigs([{ path: "package.json", before: frozen, after: deep }])).toEqual(
    weakerConfigs([{ path: "package.json", before: frozen, after: deep.slice(0, -1) }]),
  );
});
