import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { compareGateFiles } from "../../../src/core/gates/compare.ts";
import { gateParts } from "../../../src/core/gates/frozen-parts.ts";
import { gateFileRules, isGateFile } from "../../../src/core/gates/gate-files.ts";
import { growth, IN_PROPORTION } from "../../growth.ts";
import { type Commit, readCommits } from "./held-out/read-changes.ts";

/** Commits that were written before the rules were read, judged as the engine does it: only gate files, of them only the gate. */
function kindOf({ changes }: Commit): string {
  const read = (path: string) => changes.find((one) => one.path === path)?.before ?? null;
  const rules = gateFileRules({ commands: COMMANDS, extra: [], read });
  const part = (path: string, text: string | null) => (text === null ? null : gateParts(path, text, rules));
  return compareGateFiles(
    changes
      .filter(({ path }) => isGateFile(path, rules))
      .map(({ path, before, after }) => ({ path, before: part(path, before), after: part(path, after) })),
  ).kind;
}

const COMMANDS = [
  "npm test",
  "npx eslint .",
  "tsc --noEmit",
  "ruff check",
  "tox",
  "cargo test",
  "./gradlew test",
  "mvn test",
  "mix test",
  "make test",
  "sh scripts/check.sh",
];

const commits = (...files: string[]) =>
  files.flatMap((file) => readCommits(readFileSync(new URL(`held-out/${file}.diff`, import.meta.url), "utf8")));

const honest = commits("honest-web", "honest-other", "honest-later");
const cheats = commits("cheats", "cheats-later", "unseen");

/** Judged wrongly even now. A list, so that no more of them go unseen. */
const WRONG = {
  falseAlarms: ["go: a case that expects an error returns after it"],
  missed: [],
};

const named = (list: readonly Commit[], isWrong: (kind: string) => boolean) =>
  list.filter((commit) => isWrong(kindOf(commit))).map(({ name }) => name);

test("there are commits of both kinds, and each changes something", () => {
  expect(honest.length).toBeGreaterThanOrEqual(100);
  expect(cheats.length).toBeGreaterThanOrEqual(150);
  for (const { changes } of [...honest, ...cheats])
    for (const { before, after } of changes) expect(before).not.toBe(after);
});

test("work as developers do it is no false alarm, but what is known", () => {
  expect(named(honest, (kind) => kind === "weaker")).toEqual(WRONG.falseAlarms);
});

test("a gate that got weaker is seen, but what is known", () => {
  expect(named(cheats, (kind) => kind !== "weaker")).toEqual(WRONG.missed);
});

// Honest as well, but an input or an expectation is another: words cannot tell it from a cheat, so the frozen tests have to.
test("what words cannot decide counts as weaker, but for the same error sought in another way", () => {
  expect(named(commits("undecided"), (kind) => kind !== "weaker")).toEqual(["jest: try/catch becomes rejects"]);
});

test("no assertion in them can be removed unseen", () => {
  const texts = honest.flatMap(({ changes }) =>
    changes.flatMap(({ path, before, after }) =>
      [before, after].flatMap((text) => (text === null ? [] : { path, text })),
    ),
  );
  let removed = 0;
  for (const { path, text } of texts) {
    const lines = text.split("\n");
    for (const [at, line] of lines.entries()) {
      // A statement on one line, whose brackets are closed.
      const closed = (line.match(/[([{]/g) ?? []).length === (line.match(/[)\]}]/g) ?? []).length;
      if (
        !closed ||
        !/^\s*(?:(?:await )?expect\(|assert(?:_\w+!?)?[ (.!]|self\.assert|\$this->assert|Assert\.|require\.E)/.test(
          line,
        )
      )
        continue;
      removed += 1;
      const change = compareGateFiles([{ path, before: text, after: lines.toSpliced(at, 1).join("\n") }]);
      expect([path, line, change.kind]).toEqual([path, line, "weaker"]);
    }
  }
  expect(removed).toBeGreaterThan(90);
});

describe("text that an agent made up to be slow", () => {
  const lines = (size: number, line: (at: number) => string) =>
    Array.from({ length: size / 20 }, (_, at) => line(at)).join("\n");
  const made: readonly (readonly [string, (size: number) => string])[] = [
    ["quotes without an end", (size) => "'\\".repeat(size / 2)],
    ["quotes in other quotes", (size) => `'${'\\"'.repeat(size / 2)}'`],
    ["brackets without an end", (size) => "expect(".repeat(size / 7)],
    ["calls without an end", (size) => `it${".a(".repeat(size / 3)}`],
    ["blanks", (size) => " ".repeat(size)],
    ["constants", (size) => lines(size, (at) => `CONST_${at} = ${at}`)],
    ["equalities", (size) => `assert ${"a=".repeat(size / 2)}`],
    ["attributes", (size) => "@a\n".repeat(size / 3)],
    ["helpers of helpers", (size) => lines(size, (at) => `def h${at + 1}():\n    return h${at}()`)],
    ["functions in a test", (size) => `test("a", () => {\n${lines(size, (at) => `  const f${at} = () => ${at};`)}`],
    ["lines of one key", (size) => "a: 1,\n".repeat(size / 6)],
    ["lists", (size) => `exclude: [\n${lines(size, (at) => `  "/a${at}/",`)}\n]`],
  ];

  test.each(made)(
    "%s take time in proportion to their length",
    async (_, text) => {
      for (const path of ["a.test.ts", "tests/test_a.py", "jest.config.js", ".github/workflows/ci.yml"]) {
        const work = ({ before, after }: { before: string; after: string }) =>
          compareGateFiles([{ path, before, after }]);
        const come = (size: number) => ({ before: "x\n", after: `x\n${text(size)}\n` });
        const changed = (size: number) => ({ before: text(size), after: text(size).replaceAll("1", "2") });
        expect(await growth(come, work, 80_000)).toBeLessThan(IN_PROPORTION);
        expect(await growth(changed, work, 80_000)).toBeLessThan(IN_PROPORTION);
      }
    },
    60_000,
  );

  test("files in which every value is another take time in proportion to their number", async () => {
    const file = (value: number) =>
      Array.from(
        { length: 100 },
        (_, at) => `test("${at}", () => {\n  expect(run(${at}).value).toBe(${value + at});\n});`,
      ).join("\n");
    const changes = (size: number) =>
      Array.from({ length: size }, (_, at) => ({
        path: `t${at}.test.ts`,
        before: file(at * 1000),
        after: file(at * 1000 + 500_000),
      }));
    expect(await growth(changes, compareGateFiles, 64)).toBeLessThan(IN_PROPORTION);
    const change = compareGateFiles(changes(50));
    expect(change.kind === "weaker" && change.reasons.length).toBe(20);
  }, 60_000);

  test("a new line that is too long to be read counts as weaker", () => {
    const before = 'test("a", () => {\n  expect(a()).toBe(1);\n});\n';
    const after = `${before}const b = "${"x".repeat(3000)}"; process.exit(0);\n`;
    for (const path of ["a.test.ts", "jest.config.js"]) {
      expect(compareGateFiles([{ path, before, after }])).toMatchObject({ kind: "weaker" });
      expect(compareGateFiles([{ path, before: after, after: `${after}// more\n` }])).toEqual({ kind: "adds" });
    }
  });
});
