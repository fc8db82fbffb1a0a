import { type Need, needsOf } from "../../core/needs/needs.ts";
import { parsePlan } from "../../core/plan/fix-plan.ts";
import { projectPaths, readOptional } from "../../effects/project/project-paths.ts";
import { projectState } from "../project-state.ts";

/** What needs a person in a project now: of its newest run, and of the plan as it is. */
export async function projectNeeds(projectDir: string): Promise<Need[]> {
  const { state, alive } = await projectState(projectDir);
  const plan = readOptional(projectPaths(projectDir, null, null).plan);
  const openTasks = plan === null ? null : parsePlan(plan, []).tasks.map(({ text }) => text);
  return needsOf(state, { alive, openTasks });
}
