import { expect, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createProjectFiles } from "../../../src/effects/project/project-files.ts";
import { projectPaths } from "../../../src/effects/project/project-paths.ts";
import { testFolder } from "../../folders.ts";

const dir = testFolder("asked");
mkdirSync(join(dir, ".ralph/specs"), { recursive: true });
writeFileSync(join(dir, ".ralph/PROMPT.md"), "Do it.");
writeFileSync(join(dir, ".ralph/@fix_plan.md"), "- [ ] one");
const paths = projectPaths(dir, null, null);

test("what was asked stands in prompt, plan and specs, as far as they are there", () => {
  const files = [".ralph/PROMPT.md", ".ralph/@fix_plan.md", ".ralph/specs"];
  expect(createProjectFiles(paths, null).asked()).toEqual({ task: null, files });
  rmSync(join(dir, ".ralph/specs"), { recursive: true });
  expect(createProjectFiles(paths, null).asked().files).toEqual(files.slice(0, 2));
});

test("a task is what was asked; the agent gets it with what else it has to know", () => {
  const files = createProjectFiles(paths, "Add a test.");
  expect(files.asked()).toEqual({ task: "Add a test.", files: [] });
  expect(files.prompt()).toStartWith("Add a test.\n\nWork in this folder");
  expect(files.plan()).toBeNull();
});
