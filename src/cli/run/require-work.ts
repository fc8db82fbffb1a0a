import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { slashPath } from "../../effects/files/slash-path.ts";
import { type ProjectPaths, projectPaths } from "../../effects/project/project-paths.ts";
import { readWorkTexts } from "../../effects/project/work-texts.ts";
import { hasNothingToDo } from "../../setup/nothing-to-do.ts";
import type { CommandContext } from "../context.ts";
import { canAsk } from "../terminal.ts";

/**
 * Sees that a run has something to do: else an agent would invent it and spend. On a terminal it asks as set-up does, and the
 * answer becomes plan, specs and goal.
 * @returns the paths, of a plan that it made too
 * @throws RalphError `environment` with the ways out
 */
export async function requireWork(
  context: CommandContext & { args: { json: boolean } },
  paths: ProjectPaths,
): Promise<ProjectPaths> {
  if (!hasNothingToDo(readWorkTexts(paths))) return paths;
  const asks = canAsk(context) && !context.args.json && !context.args.quiet;
  if (asks && (await (await import("../setup/give-work.ts")).giveWork(context)))
    return { ...paths, plan: projectPaths(paths.project, null, null).plan };
  const shown = slashPath(paths.project, paths.plan ?? join(paths.ralph, "@fix_plan.md"));
  throw new RalphError(
    "environment",
    `Nothing says what is to be done: ${shown} has no box, and no spec says more than a title.`,
    {
      hint: `Write boxes into it, such as: - [ ] Sign in by e-mail. Or take a document: ralph import FILE. Or give a task: ralph "TEXT"`,
    },
  );
}
