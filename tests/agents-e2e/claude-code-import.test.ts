/** `ralph import` with the real Claude Code, whose model is played on loopback. */
import { expect, test } from "bun:test";
import { claudeProject } from "./claude-project.ts";
import { expectImport } from "./import-expectations.ts";

test("a document becomes plan and specs, with tools that only read, and one repair for what was left out", async () => {
  await using project = await claudeProject("import");
  await expectImport(project, "claude-code");
  const [request] = project.model.requests();
  expect(request?.tools).not.toContain("Write");
  expect(request?.tools).not.toContain("Bash");
  expect(project.model.body(request)).toContain("FR-2: Pay");
});
