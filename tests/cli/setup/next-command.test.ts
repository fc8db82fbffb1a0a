import { expect, test } from "bun:test";
import { afterRefusal, shellWord } from "../../../src/cli/setup/next-command.ts";

const WORDS = [
  "docs/prd.md",
  "my prd.md",
  "-rf.md",
  `it's "quoted".md`,
  "$(touch executed).md",
  "`touch executed`",
  "a && touch executed; b",
  "$HOME!!\\x",
  "日本語 製品.md",
];

test.skipIf(process.platform === "win32").each(WORDS)(
  "the quoted %p is one word to a shell, which runs nothing in it",
  (word) => {
    const { stdout, stderr } = Bun.spawnSync(["sh", "-c", `printf '[%s]' ${shellWord(word)}`]);
    expect([stdout.toString(), stderr.toString()]).toEqual([`[${word.startsWith("-") ? `./${word}` : word}]`, ""]);
  },
);

test.each([
  ["prd.md", "prd.md"],
  ["my prd.md", '"my prd.md"'],
])("the word %p is quoted the same on every platform: %p", (word, quoted) => expect(shellWord(word)).toBe(quoted));

test.each([
  ["ralph", "ralph doctor"],
  ["cd shop && ralph", "cd shop && ralph doctor"],
  ["cd shop && ralph run build", "cd shop && ralph doctor"],
  ["ralph import prd.md", "ralph import prd.md"],
])("where every run is refused, %p gives way to %p", (command, instead) => {
  expect(afterRefusal({ command, why: "", words: [] })).toMatchObject({ command: instead, words: [] });
});
