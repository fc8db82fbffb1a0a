import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RalphError } from "../../../src/core/errors.ts";
import { canonicalProject, hasMode, projectPaths } from "../../../src/effects/project/project-paths.ts";
import { testFolder } from "../../folders.ts";

const folder = testFolder("project");
mkdirSync(join(folder, "real"));
writeFileSync(join(folder, "file"), "");
for (const [to, from] of [
  ["real", "link"],
  ["round", "round"],
] as const)
  symlinkSync(to, join(folder, from), "junction");

/** The error for a path below the folder; null if it is a project folder. */
function problem(name: string): string | null {
  try {
    canonicalProject(join(folder, name));
    return null;
  } catch (error) {
    return error instanceof RalphError && error.code === "environment" ? error.message : `thrown: ${error}`;
  }
}

test("a mode's prompt stands at the project's root, else in .ralph", () => {
  const project = join(folder, "modes");
  mkdirSync(join(project, ".ralph"), { recursive: true });
  for (const file of ["PROMPT-build.md", ".ralph/PROMPT-build.md", ".ralph/PROMPT-plan.md"])
    writeFileSync(join(project, file), "");
  const prompt = (mode: string) => projectPaths(project, null, mode).prompt;
  expect(prompt("build")).toBe(join(project, "PROMPT-build.md"));
  expect(prompt("plan")).toBe(join(project, ".ralph", "PROMPT-plan.md"));
  expect(["build", "plan", "test"].map((mode) => hasMode(project, mode))).toEqual([true, true, false]);
});

test("a project folder is identified by its real path", () =>
  expect(canonicalProject(join(folder, "link"))).toBe(join(folder, "real")));

test.each([
  ["none", "does not exist."],
  ["file", "is not a folder."],
  ["file/below", "does not exist."],
])("%s is not a project folder", (name, says) => expect(problem(name)).toBe(`${join(folder, name)} ${says}`));

test.skipIf(process.platform === "win32").each(["round", "x".repeat(5000)])(
  "a path that cannot be accessed is an environment error, not a bug of ralph",
  (name) => expect(problem(name)).toContain("cannot be accessed: "),
);
