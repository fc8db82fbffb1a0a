import { existsSync } from "node:fs";
import { join } from "node:path";
import { taskPrompt } from "../../core/prompt/compose-prompt.ts";
import { WRITE_PROMPT_HINT } from "../../core/text/hints.ts";
import { slashPath } from "../files/slash-path.ts";
import { statThere } from "../files/stat-there.ts";
import type { ProjectFiles } from "../ports.ts";
import { type ProjectPaths, readOptional, readPlan, readRequired } from "./project-paths.ts";

/**
 * The project's files as a run reads them.
 * @param task of `ralph "TEXT"`, in place of prompt and plan; null to read the project's
 */
export function createProjectFiles(paths: ProjectPaths, task: string | null): ProjectFiles {
  return {
    dir: paths.project,
    isGone: () => statThere(paths.project) === null,
    prompt: () => (task === null ? readRequired(paths.prompt, "The prompt", WRITE_PROMPT_HINT) : taskPrompt(task)),
    plan: () => (task === null ? readPlan(paths.plan) : null),
    asked: () => (task === null ? { task, files: askedFiles(paths) } : { task, files: [] }),
    reviewPrompt: () => readOptional(join(paths.ralph, "REVIEW_PROMPT.md")),
  };
}

/** Prompt, plan and specs, as far as they are there. */
function askedFiles({ project, ralph, prompt, plan }: ProjectPaths): string[] {
  return [prompt, plan, join(ralph, "specs"), join(project, "specs")]
    .filter((path) => path !== null)
    .filter((path) => existsSync(path))
    .map((path) => slashPath(project, path));
}
