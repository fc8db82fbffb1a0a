import { expect, test } from "bun:test";
import { splitCommands, splitShellWords, typedWord } from "../../../src/core/text/shell-words.ts";

test.each<[string, string[]]>([
  ["", []],
  ["claude", ["claude"]],
  ["  npx \t claude  ", ["npx", "claude"]],
  [`a 'b c' "d e"`, ["a", "b c", "d e"]],
  [`--name="two words"`, ["--name=two words"]],
  [`a '' ""`, ["a", "", ""]],
  [String.raw`C:\bin\agent.exe`, [String.raw`C:\bin\agent.exe`]],
  [String.raw`'C:\my bin\agent'`, [String.raw`C:\my bin\agent`]],
  [String.raw`"say \"hi\" \\ \n"`, [String.raw`say "hi" \ \n`]],
  [String.raw`'\"'`, [String.raw`\"`]],
  [`"it's"`, ["it's"]],
  ["$HOME *", ["$HOME", "*"]],
])("the command line %j has the words %j", (line, words) => expect(splitShellWords(line)).toEqual(words));

test.each([`"open`, `'open`, `a "b' c`, String.raw`"ends in \"`])("the command line %j has an unclosed quote", (line) =>
  expect(splitShellWords(line)).toBeNull(),
);

test.each([
  ["ralph/login", "ralph/login"],
  ["two words", '"two words"'],
  ["a;b", '"a;b"'],
  ["$HOME", "'$HOME'"],
  ["it's", "'it'\\''s'"],
  [String.raw`C:\Users\me\my shop`, String.raw`"C:\Users\me\my shop"`],
  [String.raw`C:\100%`, String.raw`'C:\100%'`],
])("%s is typed as %s", (word, typed) => expect(typedWord(word)).toBe(typed));

test.each<[string, string[]]>([
  ["npm test;npm run lint", ["npm test", "npm run lint"]],
  [" a ; ; b;", ["a", "b"]],
  [`bash -c "cd app; npm test"; npm run lint`, [`bash -c "cd app; npm test"`, "npm run lint"]],
  ["sh -c 'a; b'", ["sh -c 'a; b'"]],
  [String.raw`sh -c "a \"b\"; c" ; d`, [String.raw`sh -c "a \"b\"; c"`, "d"]],
  [String.raw`find . -name "*.orig" -exec false {} \;; b`, [String.raw`find . -name "*.orig" -exec false {} \;`, "b"]],
  ["echo it's; b", ["echo it's", "b"]],
  ["/home/o'neil/a.sh; /home/o'neil/b.sh", ["/home/o'neil/a.sh", "/home/o'neil/b.sh"]],
  ["run --name='a;b' '';c", ["run --name='a;b' ''", "c"]],
  [`echo "it's; one"; b 'two;`, [`echo "it's; one"`, "b 'two"]],
])("the list %j has the commands %j", (list, commands) => expect(splitCommands(list)).toEqual(commands));
