import { beforeEach, expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inputHash, isCurrent } from "../../../scripts/lib/build/stamp.ts";
import { testFolder } from "../../folders.ts";

const folder = testFolder("stamp");
const write = (file: string, text: string) => {
  mkdirSync(join(folder, file, ".."), { recursive: true });
  writeFileSync(join(folder, file), text);
};

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  write("src/main.ts", "main");
  write("templates/PROMPT.md", "prompt");
  write("package.json", "{}");
  write("README.md", "read me");
});

test.each([
  ["a changed source", "src/main.ts", "other", true],
  ["a new source", "src/core/plan/fix-plan.ts", "plan", true],
  ["a changed template", "templates/PROMPT.md", "other", true],
  ["a template whose name begins with a dot", "templates/.gitignore", "runs", true],
  ["a changed version", "package.json", '{"version":"2"}', true],
  ["the same content again", "src/main.ts", "main", false],
  ["a file that is not compiled", "README.md", "other", false],
])("%s: %s changes the hash: %p %p", (_, file, text, changes) => {
  const before = inputHash(folder);
  write(file, text);
  expect(inputHash(folder) !== before).toBe(changes);
});

test("moving content from one file to another changes the hash", () => {
  write("src/a.ts", "x");
  const before = inputHash(folder);
  rmSync(join(folder, "src/a.ts"));
  write("src/b.ts", "x");
  expect(inputHash(folder)).not.toBe(before);
});

test("a program is current only with a stamp of the same inputs", () => {
  const [program, stamp] = [join(folder, "ralph"), join(folder, "stamp")];
  expect(isCurrent(program, stamp, "abc")).toBe(false);
  write("stamp", "abc\n");
  expect(isCurrent(program, stamp, "abc")).toBe(false);
  write("ralph", "");
  expect(isCurrent(program, stamp, "abc")).toBe(true);
  expect(isCurrent(program, stamp, "def")).toBe(false);
});
