import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { codeClosure } from "../../../src/effects/user/code-closure.ts";
import { testFolders } from "../../folders.ts";

const newFolder = testFolders("closure");

function projectWith(files: Record<string, string>): string {
  const folder = newFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

function reachedFrom(name: string, files: Record<string, string>): string[] {
  const folder = projectWith(files);
  const { files: found } = codeClosure(join(folder, name), folder);
  return found.map((file) => relative(folder, file).split(sep).join("/")).toSorted();
}

test.each<[string, string, Record<string, string>, string[]]>([
  ["itself alone", "a.mjs", { "a.mjs": "1", "b.mjs": "2" }, ["a.mjs"]],
  [
    "imports without an ending, and what those import",
    "x/a.ts",
    {
      "x/a.ts": 'import b from "../b";',
      "b.ts": "export * from './lib';",
      "lib/index.ts": 'require("./c.json")',
      "lib/c.json": "{}",
    },
    ["b.ts", "lib/c.json", "lib/index.ts", "x/a.ts"],
  ],
  [
    "an own name of its package",
    "a.mjs",
    { "a.mjs": 'import "#b";', "package.json": '{"imports":{"#b":"./b.mjs"}}', "b.mjs": "" },
    ["a.mjs", "b.mjs", "package.json"],
  ],
  [
    "a package, nearest first",
    "x/a.mjs",
    { "x/a.mjs": 'import "@s/p/deep";', "node_modules/@s/p/i.js": 'require("q")', "node_modules/q/data": "" },
    ["node_modules/@s/p/i.js", "node_modules/q/data", "x/a.mjs"],
  ],
  [
    "a started file without an ending",
    "a.sh",
    { "a.sh": 'exec bash -e "$PWD/tool" x', tool: "echo" },
    ["a.sh", "tool"],
  ],
  [
    "a file below a folder in a variable",
    "a.mjs",
    { "a.mjs": "import(`${here}/b.mjs`)", "b.mjs": "" },
    ["a.mjs", "b.mjs"],
  ],
  ["no data that it writes", "a.sh", { "a.sh": 'echo x >> "run.log"', "run.log": "" }, ["a.sh"]],
  ["no data that a script reads", "a.mjs", { "a.mjs": 'read("run.log")', "run.log": "" }, ["a.mjs"]],
  [
    "a script in another language that it names",
    "a.mjs",
    { "a.mjs": 'spawn("x/tool.py")', "x/tool.py": "" },
    ["a.mjs", "x/tool.py"],
  ],
  ["what hides behind a zero byte", "a.mjs", { "a.mjs": '/*\0*/ import "./b.mjs";', "b.mjs": "" }, ["a.mjs", "b.mjs"]],
  [
    "the whole folder below .ralph",
    ".ralph/drivers/a.sh",
    { ".ralph/drivers/a.sh": ". $X", ".ralph/drivers/sub/any": "" },
    [".ralph/drivers/a.sh", ".ralph/drivers/sub/any"],
  ],
])("a program reaches %s", (_, name, files, expected) => expect(reachedFrom(name, files)).toEqual(expected));

test("too much to be looked through is refused with the way out", () => {
  const files = Object.fromEntries(Array.from({ length: 2001 }, (_, n) => [`.ralph/drivers/${n}.ts`, ""]));
  expect(() => reachedFrom(".ralph/drivers/0.ts", files)).toThrow("more of the project than can be looked through");
});
