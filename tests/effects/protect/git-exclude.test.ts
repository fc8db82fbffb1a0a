import { beforeEach, expect, test } from "bun:test";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createGitExclude } from "../../../src/effects/protect/git-exclude.ts";
import { testFolders } from "../../folders.ts";

let project = "";
const newFolder = testFolders("exclude");
beforeEach(() => {
  project = newFolder();
  for (const folder of ["objects", "refs", "info"]) mkdirSync(join(project, ".git", folder), { recursive: true });
  writeFileSync(join(project, ".git", "HEAD"), "ref: refs/heads/main\n");
});

const list = () => join(project, ".git", "info", "exclude");
const read = () => readFileSync(list(), "utf8");

test("what ralph writes is named beside the lines that are there, once", () => {
  writeFileSync(list(), "mine\n");
  const exclude = createGitExclude(project, "# a comment\n/runs/\n*.tmp\n");
  exclude();
  expect(read()).toBe("mine\n# What ralph writes at run time.\n/.ralph/runs/\n/.ralph/**/*.tmp\n");
  const { ino } = statSync(list());
  exclude();
  expect(statSync(list()).ino).toBe(ino);
});

test("what an agent took out of the list is named again", () => {
  const exclude = createGitExclude(project, "/runs/\n");
  exclude();
  writeFileSync(list(), "theirs\n");
  exclude();
  expect(read()).toBe("theirs\n# What ralph writes at run time.\n/.ralph/runs/\n");
});
