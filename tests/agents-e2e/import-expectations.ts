import { expect } from "bun:test";
import { importMarker } from "../../src/cli/import/import-dialogue.ts";
import { parsePlan } from "../../src/core/plan/fix-plan.ts";
import type { AgentProject } from "./agent-project.ts";
import scenario from "./scenarios/import.json" with { type: "json" };

const PRD = "# Shop\n\n## Requirements\n\n- FR-1: Sign in\n- FR-2: Pay\n";

/**
 * Plays `scenarios/import.json`: the first answer omits a requirement after looking at a file, and the repair adds it.
 * Only ralph writes files.
 */
export async function expectImport(project: AgentProject, driver: string): Promise<void> {
  expect(JSON.stringify(scenario)).toContain(`<<<FILE ${importMarker({ name: "prd.md", text: PRD })} `);
  project.write("prd.md", PRD);
  const { exitCode, stdout, stderr } = await project.run(["import", "prd.md", "--json"]);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(stdout)).toMatchObject({
    success: true,
    missing: [],
    tasks_imported: 2,
    files_created: expect.arrayContaining([".ralph/specs/requirements.md", ".ralph/specs/payment.md"]),
    agent: { driver, calls: 2, error: null, missing_files: [], session_id: expect.any(String) },
  });

  const plan = project.read(".ralph/@fix_plan.md") ?? "";
  expect(parsePlan(plan, []).tasks.map(({ text }) => text)).toEqual(
    expect.arrayContaining(["Write one.txt", "FR-1: Sign in with e-mail", "FR-2: Pay by card"]),
  );
  expect(project.read(".ralph/specs/requirements.md")).toContain("FR-1");
  expect(project.read(".ralph/PROMPT.md")).toBe("Do the next open task of the plan, and tick its box.\n");

  const journal = project.journal();
  expect(journal.of("import_started").map(({ missing }) => missing)).toEqual([[], ["FR-2"]]);
  expect(journal.of("agent_started").map(({ purpose }) => purpose)).toEqual(["import", "repair"]);
  expect(journal.of("agent_tool_started").length).toBeGreaterThan(0);
  expect(journal.of("agent_finished").map(({ ok, unknown_events }) => ({ ok, unknown_events }))).toEqual(
    Array(2).fill({ ok: true, unknown_events: 0 }),
  );
  expect(journal.of("run_finished")).toMatchObject([{ stop_reason: "import_complete", iterations: 0, calls: 2 }]);

  // The repair goes on in the same conversation.
  const requests = project.model.requests();
  expect(requests.at(-1)?.messages).toBeGreaterThan(requests[0]?.messages ?? 0);
}
