import { expect, test } from "bun:test";
import { join } from "node:path";
import { parseGitConfig } from "../../../src/effects/git/config-syntax.ts";
import { createSandbox } from "./git-sandbox.ts";

const texts: Record<string, string> = {
  "sections and keys in any case": "[Core]\nFileMode = false\n[CORE]\nfilemode = true\n",
  "subsections as they are written": '[branch "Feature/X"]\nremote = origin\n[a "q\\"uo\\\\te"]\nb = c\n',
  "the old dotted subsection": "[alpha.Beta]\nkey = 1\n",
  "a key on the line of its section": "[core] bare = true\n",
  "a key without a value": "[core]\nbare\n",
  "an empty value": "[core]\nexcludesfile =\n",
  comments: '# c\n; c\n[core] # c\na = b ; c\nd = e#f\ng = "h # i" # j\n',
  "comments that end in a backslash": '# C:\\\n[core]\na = b # c \\\nd = "e" ; f\\\ng = h\n',
  "a backslash at its end": "[core]\na = b \\",
  "blanks inside and around": "[core]\n   a   =   b  c   \n",
  quotes: '[core]\na = "  b  " c\nd = e" f "g\n',
  escapes: '[core]\na = "b\\tc\\nd\\\\e\\"f"\n',
  "a line that goes on with none": "[core]\na = b \\\n\nc = d\n",
  "lines that go on": '[core]\na = b \\\n  c\nd = "e\\\nf"\n',
  "Windows line ends": "[core]\r\na = b\r\nc = d \\\r\ne\r\n",
  "a byte order mark": "\ufeff[core]\na = b\n",
};

test.each(Object.keys(texts))("settings with %s are read as git reads them", (name) => {
  using box = createSandbox("plain");
  box.write({ config: texts[name] ?? "" });
  const output = box.git("config", "--file", join(box.project, "config"), "--list", "--null");
  const expected = output
    .split("\0")
    .filter((line) => line !== "")
    .map((line): [string, string] => {
      const at = line.indexOf("\n");
      return at < 0 ? [line, "true"] : [line.slice(0, at), line.slice(at + 1)];
    });
  expect(parseGitConfig(texts[name] ?? "").map(([key, value]): [string, string] => [key, value])).toEqual(expected);
});
