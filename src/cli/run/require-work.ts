import { join, relative } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { writeFileAtomic } from "../../effects/files/atomic-write.ts";
import { type ProjectPaths, readOptional } from "../../effects/project/project-paths.ts";
import { readWorkTexts } from "../../effects/project/work-texts.ts";
import { hasNothingToDo } from "../../setup/nothing-to-do.ts";
import { mergePlan } from "../../setup/plan/merge.ts";
import { newPlan } from "../../setup/plan/new-plan.ts";
import type { CommandContext } from "../context.ts";
import { canAsk } from "../terminal.ts";

/**
 * Sees that a run has something to do: else an agent would invent it and spend. On a terminal it asks, and the answer
 * becomes the plan's first box.
 * @returns the paths, of a plan that it made too
 * @throws RalphError `environment` with the ways out
 */
export async function requireWork(
  context: Pick<CommandContext, "isTty" | "env"> & { args: { json: boolean; quiet: boolean } },
  paths: ProjectPaths,
  projectName: string,
): Promise<ProjectPaths> {
  if (!hasNothingToDo(readWorkTexts(paths))) return paths;
  const plan = paths.plan ?? join(paths.ralph, "@fix_plan.md");
  const shown = relative(paths.project, plan);
  const title = canAsk(context) && !context.args.json && !context.args.quiet ? await askForWork(shown) : "";
  if (title === "")
    throw new RalphError("environment", `Nothing says what is to be done: ${shown} has no box, the specs are empty.`, {
      hint: `Write boxes into it, such as: - [ ] Sign in by e-mail. Or take a document: ralph import FILE. Or give a task: ralph "TEXT"`,
    });
  const task = { id: null, title, priority: "high", done: false, details: [] } as const;
  writeFileAtomic(plan, mergePlan(readOptional(plan) ?? newPlan(projectName, []), [task]).text);
  return { ...paths, plan };
}

/** "" for no answer. */
async function askForWork(plan: string): Promise<string> {
  const clack = await import("@clack/prompts");
  const message = `Nothing says yet what is to be done. What is it? (It becomes a box of ${plan}; Esc to leave.)`;
  const answer = await clack.text({ message, placeholder: "Sign in by e-mail" });
  return clack.isCancel(answer) ? "" : (answer ?? "").trim();
}
