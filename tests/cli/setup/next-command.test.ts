import { expect, test } from "bun:test";
import { shellWord } from "../../../src/cli/setup/next-command.ts";

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
