/** The plan that several workers share: what is ticked on the target is done. */
import { createHash } from "node:crypto";
import { relative, sep } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { parsePlan } from "../../core/plan/fix-plan.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { listedInPlan, type TaskGraph, taskGraph } from "../../core/tasks/task-graph.ts";
import type { Git } from "../git/git-program.ts";
import { projectPaths, readOptional } from "../project/project-paths.ts";
import { ownerOf } from "../worktrees/worktrees.ts";
import { fetchBranch, hubTip } from "./task-branch.ts";

/** `path`: of its file, from the project in any checkout, with forward slashes. */
export type HubPlan = { text: string; path: string };

/**
 * Reads the plan from the target's commit. One that no commit has is that of the project, of which a worktree's is a part.
 * @param at `projectDir`: absolute; git runs there
 * @throws RalphError `environment` if there is none that all workers can see
 */
export async function readHubPlan(
  git: Git,
  { hub, target, projectDir, isOwn = false }: { hub: string; target: string; projectDir: string; isOwn?: boolean },
): Promise<HubPlan> {
  const tip = await hubTip(git, hub, target);
  if (tip !== null) await fetchBranch(git, hub, target);
  const file = projectPaths(projectDir, null, null).plan;
  const path = file === null ? null : relative(projectDir, file).split(sep).join("/");
  const shown = path === null || tip === null ? null : await git.run(["show", `${tip}:./${path}`]);
  if (path !== null && shown?.code === 0) return { text: shown.stdout, path };
  const owner = ownerOf(projectDir);
  const text =
    path === null || (owner === projectDir && !isOwn) ? null : readOptional(projectPaths(owner, null, null).plan);
  if (path !== null && text !== null) return { text, path };
  throw new RalphError("environment", `There is no plan on ${target} in ${hub}.`, {
    hint: "Commit and push it: workers on other machines have it from there.",
  });
}

/** @returns the tasks, and the line of each one's box, from 1 @throws RalphError `environment` if what they wait for makes no sense */
export function tasksOf(
  text: string,
  { OPTIONAL_SECTIONS }: Pick<Settings, "OPTIONAL_SECTIONS">,
): { graph: TaskGraph; lineOf(id: string): number } {
  const parsed = parsePlan(text, OPTIONAL_SECTIONS);
  const graph = taskGraph(listedInPlan(parsed), (words) => createHash("sha256").update(words).digest("hex"));
  const [fault] = graph.faults;
  if (fault !== undefined) throw new RalphError("environment", fault, { hint: "Mend the plan: workers go by it." });
  const lines = new Map(graph.tasks.map(({ id }, at) => [id, parsed.boxes[at]?.line ?? 0]));
  return { graph, lineOf: (id) => lines.get(id) ?? 0 };
}
