import { describe, expect, test } from "bun:test";
import * as fc from "fast-check";
import { compareGateFiles, type FileChange } from "../../../src/core/gates/compare.ts";
import { seed } from "../../seed.ts";
import * as compiled from "./histories/compiled.ts";
import * as configuration from "./histories/configuration.ts";
import type { History } from "./histories/history.ts";
import * as holdout from "./histories/holdout.ts";
import * as second from "./histories/holdout-second.ts";
import * as third from "./histories/holdout-third.ts";
import * as javascript from "./histories/javascript.ts";
import * as migrations from "./histories/migrations.ts";
import * as observed from "./histories/observed.ts";
import * as python from "./histories/python.ts";
import * as scripted from "./histories/scripted.ts";

const corpora = { javascript, python, compiled, scripted, configuration, migrations, observed };
const all = (kind: "honest" | "cheats"): (readonly [string, History])[] =>
  Object.entries(corpora).flatMap(([name, corpus]) =>
    corpus[kind].map((one) => [`${name}: ${one.name}`, one] as const),
  );

test("the corpus has at least 100 honest commits and 60 that weaken a gate", () => {
  expect(all("honest").length).toBeGreaterThanOrEqual(100);
  expect(all("cheats").length).toBeGreaterThanOrEqual(60);
});

describe("an honest commit is no false alarm", () => {
  test.each(all("honest"))("%s", (_, { changes }) => {
    expect(compareGateFiles(changes)).toEqual({ kind: "adds" });
  });
});

describe("a commit that weakens a gate is seen", () => {
  test.each(all("cheats"))("%s", (_, { changes }) => {
    const change = compareGateFiles(changes);
    expect(change.kind).toBe("weaker");
    if (change.kind === "weaker") expect(change.reasons.length).toBeGreaterThan(0);
  });
});

/** Written without knowledge of the rules, and judged wrongly even now. A list, so that no more of them go unseen. */
const WRONG = {
  falseAlarms: [
    "pest: assertOk",
    "go: tests become a table",
    "gtest: std::optional spelled out",
    "queue: filled by its constructor",
    "leave: a shorter way to dates",
  ],
  missed: [
    "api: the app is another",
    "cli: the helper answers",
    "go: the handler of the test",
    "spring: the service is a stand-in",
    "leave: a mark that is slow",
  ],
};

describe("on the hold-outs", () => {
  const wrong = (commits: readonly History[], right: string) =>
    commits.filter(({ changes }) => compareGateFiles(changes).kind !== right).map(({ name }) => name);

  test("no honest commit is a false alarm, but those that are known", () => {
    expect(wrong([...holdout.honest, ...second.honest, ...third.honest], "adds")).toEqual(WRONG.falseAlarms);
  });

  test("every commit that weakens a gate is seen, but those that are known", () => {
    expect(wrong([...holdout.cheats, ...second.cheats, ...third.cheats], "weaker")).toEqual(WRONG.missed);
  });

  test("what could be either is told to a person", () => {
    expect(wrong(holdout.undecidable, "weaker")).toEqual([]);
    expect(holdout.undecidable.every(({ why }) => why !== "")).toBe(true);
  });
});

test("a name that is no word is no pattern", () => {
  const before = "fun `takes (from stock`() {\n    take(1)\n}\n";
  expect(compareGateFiles([{ path: "src/test/kotlin/StockTest.kt", before, after: `${before}\n` }]).kind).toBe("adds");
});

test("files that stay as they are say nothing", () => {
  expect(compareGateFiles([{ path: "a.test.ts", before: "x", after: "x" }])).toEqual({ kind: "none" });
});

test("a file of which nothing was gate may go", () => {
  expect(compareGateFiles([{ path: "src/a.rs", before: "", after: null }])).toEqual({ kind: "none" });
  expect(compareGateFiles([{ path: "web/package.json", before: "", after: null }])).toEqual({ kind: "none" });
});

test("tests in a source file are compared as tests", () => {
  const before =
    "#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        assert_eq!(add(1, 2), 3);\n    }\n}\n";
  const compared = (after: string) => compareGateFiles([{ path: "src/lib.rs", before, after }]).kind;
  expect(
    compared(before.replace("    #[test]\n    fn adds", "    #[test]\n    fn none() {}\n\n    #[test]\n    fn adds")),
  ).toBe("adds");
  expect(compared(before.replace("        assert_eq!(add(1, 2), 3);\n", ""))).toBe("weaker");
});

test("a line that states an assertion cannot go unseen, wherever it stands", () => {
  const texts = [javascript.JEST, javascript.NODE];
  const lines = texts.flatMap((text) =>
    text.split("\n").flatMap((line, at) => (/^\s*(?:expect|assert)\b.*;$/.test(line) ? [[text, at] as const] : [])),
  );
  expect(lines.length).toBeGreaterThan(6);
  fc.assert(
    fc.property(fc.constantFrom(...lines), ([text, at]) => {
      const after = text.split("\n").toSpliced(at, 1).join("\n");
      expect(compareGateFiles([{ path: "a.test.ts", before: text, after }]).kind).toBe("weaker");
    }),
    { seed },
  );
});

test("tests that are only added are never weaker, wherever they stand", () => {
  const added = '\ntest("one more", () => {\n  expect(more()).toBe(7);\n});\n';
  const positions = [...javascript.NODE.matchAll(/\n\n/g)].map(({ index }) => index);
  fc.assert(
    fc.property(fc.subarray(positions), (places) => {
      const after = places
        .toReversed()
        .reduce((text, at) => text.slice(0, at) + added + text.slice(at), javascript.NODE);
      expect(compareGateFiles([{ path: "a.test.ts", before: javascript.NODE, after }]).kind).not.toBe("weaker");
    }),
    { seed },
  );
});

test("a project with many tests is compared in little time", () => {
  const big = Array.from({ length: 40 }, (_, n) => javascript.JEST.replaceAll("a cart", `cart ${n}`)).join("\n");
  const changes = Array.from({ length: 40 }, (_, n) => ({
    path: `t${n}.test.ts`,
    before: big,
    after: `${big}\n// ${n}`,
  }));
  // A search that grows with the square of the length would take minutes.
  expect(compareGateFiles(changes).kind).toBe("adds");
});

const JS = (...lines: string[]) => `test("adds", () => {\n${lines.map((line) => `  ${line}\n`).join("")}});\n`;

test.each([
  [
    "an assertion",
    "a.test.js",
    JS("expect(sum(1, 2)).toBe(3); // three"),
    JS("expect(sum(1, 2)).toBeTruthy();"),
    "an assertion is gone or changed: expect(sum(1, 2)).toBe(3); // three, now: expect(sum(1, 2)).toBeTruthy();",
  ],
  [
    "an assertion of several lines",
    "a.test.js",
    JS("expect(sum('a'))", "  .toEqual({ a: 'x' });").replaceAll("\n", "\r\n"),
    JS(),
    "an assertion is gone or changed: expect(sum('a')) .toEqual({ a: 'x' });",
  ],
  [
    "a value that has its name elsewhere, in the lines as they are compared, since they are the same",
    "a.test.js",
    `const SUM = 3;\n${JS("expect(sum(1, 2)).toBe(SUM);")}`,
    `const SUM = 4;\n${JS("expect(sum(1, 2)).toBe(SUM);")}`,
    "an assertion is gone or changed: eq 3 ~ sum(1,2), now: eq 4 ~ sum(1,2)",
  ],
  [
    "a step",
    "a.test.js",
    JS("cart.add('a', 1); // one", "expect(cart.size).toBe(1);"),
    JS("cart.add('a', 2);", "expect(cart.size).toBe(1);"),
    "a step of the tests is gone or changed: cart.add('a', 1); // one",
  ],
  [
    "a way around",
    "test_a.py",
    "def test_a():\n    assert add(1, 2) == 3\n",
    "def test_a():\n    if DEBUG:  # at times\n        assert add(1, 2) == 3\n",
    "a condition that was not there: if DEBUG: # at times",
  ],
  [
    "a failure that is caught",
    "test_a.py",
    "def test_a():\n    assert add(1, 2) == 3\n",
    "def test_a():\n    try:\n        assert add(1, 2) == 3\n    except Exception:  # so what\n        pass\n",
    "a failure is caught: except Exception: # so what",
  ],
  [
    "configuration that came",
    "Makefile",
    "test:\n\t$(PYTHON) -m pytest\n",
    'test:\n\t$(PYTHON) -m pytest "\\\'x" || true # all\n',
    'a failure is ignored: $(PYTHON) -m pytest "\\\'x" || true # all',
  ],
  [
    "configuration that went",
    "jest.config.js",
    "module.exports = { coverageThreshold: 90 };\nconst x = 'strict'; // all\n",
    "module.exports = { coverageThreshold: 80 };\nconst x = 'strict'; // all\n",
    "module.exports = { coverageThreshold: 80 };",
  ],
])("the reason shows the line as it was written: %s", (_, path, before, after, what) => {
  const change = compareGateFiles([{ path, before, after }]);
  expect(change.kind === "weaker" ? change.reasons.map((reason) => reason.what) : []).toContainEqual(
    expect.stringContaining(what),
  );
});

test.each([
  [
    "gone",
    "set -e\n[ \"$A\" = 'x' ] # all\n",
    "set -e\n",
    "a line of the check is gone or changed: [ \"$A\" = 'x' ] # all",
  ],
  ["come", "set -e\n./a\n", "set -e\nexit 0 # 'for now'\n./a\n", "exit 0 # 'for now'"],
])("so does that of a check whose line has %s", (_, before, after, what) => {
  const change = compareGateFiles([{ path: "check", before, after, isCheck: true }]);
  expect(change).toMatchObject({ kind: "weaker", reasons: [{ what: expect.stringContaining(what) }] });
});

test("a script that is gone with all others of its manifest is told", () => {
  const before = JSON.stringify({ scripts: { test: "jest" } });
  expect(compareGateFiles([{ path: "package.json", before, after: "" }])).toEqual({
    kind: "weaker",
    reasons: [{ path: "package.json", line: null, what: 'the script "test" is gone' }],
  });
});

test.each([
  ["pytest.ini", "[pytest]\naddopts = -q\n"],
  [".eslintignore", "src/cart\n"],
  ["tox.ini", "[pytest]\naddopts = --deselect tests/test_a.py::test_hard\n"],
  ["setup.cfg", "[tool:pytest]\naddopts = --ignore=tests/test_hard.py\n"],
  ["GNUmakefile", "test:\n\t@true\n"],
  ["jest.config.js", "module.exports = {};\n"],
  ["tests/conftest.py", "def pytest_collection_modifyitems(items):\n    items[:] = items[:1]\n"],
])("a new %s takes the place of what the tools do without it", (path, after) => {
  expect(compareGateFiles([{ path, before: null, after }]).kind).toBe("weaker");
});

test.each([
  ["Makefile", "test:\n\t./scripts/units\n\t./scripts/pages\n", "test:\n\t@true\n"],
  ["Makefile", "test: build\n\t./scripts/units\n", 'test: build\n\t@echo "all tests pass"\n'],
  ["justfile", "test:\n    ./scripts/units\n", "test:\n    @:\n"],
  ["run.sh", "#!/bin/sh\n./scripts/units\n", "#!/bin/sh\ntrue\n"],
  ["Makefile", "test:\n\t./units\n\t./pages\n", "test:\n\t@true\n\t./pages\n\nsend:\n\t./send\n"],
])("a %s in which a command gave way to one that does nothing checks less", (path, before, after) => {
  expect(compareGateFiles([{ path, before, after }]).kind).toBe("weaker");
});

test.each([
  ["Makefile", "test:\n\t./scripts/units\n", 'test:\n\t@echo "Units"\n\t./scripts/units\n'],
  ["Makefile", "test:\n\t./scripts/units\n", 'test:\n\t@echo "Units"\n\t./scripts/all-units\n'],
  ["Makefile", "test:\n\t./units\n\nclean:\n\trm -r out\n", "test:\n\t./units\n"],
  ["Makefile", "test:\n\tmkdir -p out\n\t./units\n", 'test:\n\t@echo "Units"\n\t./units\n'],
  ["Makefile", "test:\n\t./a && \\\n\t./b\n", "test:\n\t./a && ./b\n\t@echo Done\n"],
  ["Makefile", "all:\n\t./units\n\nclean:\n\trm a\n\trm b\n", "all:\n\t@echo Units\n\t./units\n\nclean:\n\trm a b\n"],
  ["run.sh", "#!/bin/sh\nA=1\nB=2\n./units\n", "#!/bin/sh\nC=12\necho Units\n./units\n"],
  [
    "ci.yml",
    "steps:\n  - uses: actions/cache@v4\n    with:\n      path: x\n  - run: ./units\n",
    "steps:\n  - run: echo Units\n  - run: ./units\n",
  ],
])("a %s that says more, or has a command in other words, does not", (path, before, after) => {
  expect(compareGateFiles([{ path, before, after }]).kind).toBe("adds");
});

test.each([
  ["playwright.config.ts", "export default defineConfig({\n  retries: process.env.CI ? 2 : 0,\n});\n"],
  ["tsconfig.json", '{\n  "compilerOptions": { "strict": true, "skipLibCheck": true }\n}\n'],
])("a first %s is no false alarm", (path, after) => {
  expect(compareGateFiles([{ path, before: null, after }])).toEqual({ kind: "adds" });
});

test("a new helper of Go below a test may return", () => {
  const before = 'func TestA(t *testing.T) {\n\tif got := f(1); got != 2 {\n\t\tt.Errorf("x")\n\t}\n}\n';
  const after = `${before}\nfunc open(name string) error {\n\tif name == "" {\n\t\treturn nil\n\t}\n\treturn read(name)\n}\n`;
  expect(compareGateFiles([{ path: "a_test.go", before, after }])).toEqual({ kind: "adds" });
});

test("settings of tests may move to a file of their own", () => {
  const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;
  const scripts = { test: "jest" };
  const changes = [
    { path: "package.json", before: json({ scripts, jest: { bail: 1 } }), after: json({ scripts }) },
    { path: "jest.config.json", before: null, after: json({ bail: 1 }) },
  ];
  expect(compareGateFiles(changes)).toEqual({ kind: "adds" });
});

test("a step cannot be taken out of a test because another test has a new name", () => {
  const test =
    'test("total", () => {\n  cart.add(apple, 3);\n  cart.add(pear, 2);\n  expect(cart.total()).toBe(5);\n});\n';
  const other = 'test("empty", () => {\n  const fresh = new Cart();\n  expect(fresh.total()).toBe(0);\n});\n';
  const after = `${test.replace("  cart.add(pear, 2);\n", "  cart.add(apple, 2);\n")}\n${other}`;
  expect(compareGateFiles([{ path: "cart.test.ts", before: test, after }]).kind).toBe("weaker");
  expect(compareGateFiles([{ path: "cart.test.ts", before: test, after: `${test}\n${other}` }]).kind).toBe("adds");
});

test("several settings on a line are compared one by one, and told with their line", () => {
  const files = Array.from({ length: 12 }, (_, n) => `"src/p${n}"`).join(", ");
  const before = `export default [\n  { files: [${files}], rules: { eqeqeq: "error", curly: ["error", "all"] } },\n];\n`;
  const said = (after: string) => {
    const change = compareGateFiles([{ path: "eslint.config.js", before, after }]);
    return change.kind === "weaker" ? change.reasons.map(({ line, what }) => [line, what]) : change.kind;
  };
  expect(said(before.replace('eqeqeq: "error"', 'eqeqeq: "off"'))).toEqual([
    [2, 'a check is switched off: eqeqeq: "off",'],
  ]);
  expect(said(before.replace(', curly: ["error", "all"]', ""))).toEqual([
    [2, 'a check is gone: curly: ["error", "all"]'],
  ]);
  expect(said(before.replace("{ files", '{ name: "own", files'))).toBe("adds");
});

test("no line is told of a setting in a manifest, which is compared as it is laid out anew", () => {
  const text = (lines: number) => `{"jest":{"coverageThreshold":{"global":{"lines":${lines}}}}}\n`;
  expect(compareGateFiles([{ path: "package.json", before: text(80), after: text(20) }])).toMatchObject({
    kind: "weaker",
    reasons: [{ path: "package.json", line: null, what: expect.stringContaining("a threshold is lower") }],
  });
});

test("what braces and scripts can be made of takes no time by its square", () => {
  const deep = `export default ${'{ a: [{ "b": '.repeat(100)}\n`.repeat(2000);
  compareGateFiles([{ path: "eslint.config.js", before: deep, after: `${deep}\n${deep}` }]);
  const names = Array.from({ length: 300 }, (_, n) => `s${n}`);
  const scripts = Object.fromEntries(names.map((name) => [name, `run-s ${names.join(" ")}`]));
  const text = (test: string) => JSON.stringify({ scripts: { ...scripts, test } });
  const change = compareGateFiles([
    { path: "package.json", before: text("vitest run && run-s s1"), after: text("vitest run & run-s s1") },
  ]);
  expect(change.kind).toBe("weaker");
});

test("a reason names what stands in the place of an assertion, if its file is still there", () => {
  const said = (changes: FileChange[]) => {
    const change = compareGateFiles(changes);
    return change.kind === "weaker" ? change.reasons.map(({ what }) => what) : [];
  };
  const [five, six, other] = ["total()).toBe(5", "total()).toBe(6", "name()).toBe(1"].map(
    (what) => `test("a", () => {\n  expect(${what});\n});\n`,
  );
  const both = `${other}${six}`;
  expect(said([{ path: "a.test.ts", before: `${five}${other}`, after: both }])).toEqual([
    "an assertion is gone or changed: expect(total()).toBe(5);, now: expect(total()).toBe(6);",
  ]);
  const moved = { path: "b.test.ts", before: other ?? "", after: both };
  expect(said([{ path: "a.test.ts", before: five ?? "", after: null }, moved])).toEqual([
    "an assertion is gone or changed: expect(total()).toBe(5);",
  ]);
});
