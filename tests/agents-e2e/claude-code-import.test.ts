/** `ralph import` with the real Claude Code and a mock model on loopback. */
import { expect, test } from "bun:test";
import { claudeProject } from "./claude-project.ts";
import { expectImport } from "./import-expectations.ts";

test("an import makes plan and specs with read-only tools, and repairs an omission once", async () => {
  await using project = await claudeProject("import");
  await expectImport(project, "claude-code");
  const [request] = project.model.requests();
  expect(request?.tools).not.toContain("Write");
  expect(request?.tools).not.toContain("Bash");
  expect(project.model.body(request)).toContain("FR-2: Pay");
});
