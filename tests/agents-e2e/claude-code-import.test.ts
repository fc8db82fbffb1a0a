/** `ralph import` with the real Claude Code, whose model is played on loopback. */
import { expect, test } from "bun:test";
import { importMark } from "../../src/cli/import/agent-import.ts";
import { parsePlan } from "../../src/core/plan.ts";
import { claudeProject } from "./claude-project.ts";
import scenario from "./scenarios/import.json" with { type: "json" };

const PRD = "# Shop\n\n## Requirements\n\n- FR-1: Sign in\n- FR-2: Pay\n";

test("a document becomes plan and specs, with tools that only read, and one repair for what was left out", async () => {
  expect(JSON.stringify(scenario)).toContain(`<<<FILE ${importMark({ name: "prd.md", text: PRD })} `);
  await using project = await claudeProject("import");
  project.write("prd.md", PRD);
  const { exitCode, stdout, stderr } = await project.run(["import", "prd.md", "--json"]);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({ success: true, missing: [], agent: { driver: "claude-code", calls: 2, error: null } });

  const plan = project.read(".ralph/@fix_plan.md") ?? "";
  expect(parsePlan(plan, []).tasks.map(({ text }) => text)).toContain("FR-2: Pay by card");
  expect(plan).toContain("Write one.txt");
  expect(project.read(".ralph/specs/requirements.md")).toContain("FR-1");

  const requests = project.model.requests();
  expect(requests[0]?.tools).not.toContain("Write");
  expect(requests[0]?.tools).not.toContain("Bash");
  expect(project.model.body(requests[0])).toContain("FR-2: Pay");
  // The repair goes on in the same conversation.
  expect(requests.at(-1)?.messages).toBeGreaterThan(requests[0]?.messages ?? 0);
  expect(project.read("evil.txt")).toBeNull();
});
