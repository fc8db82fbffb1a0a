import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ProjectFiles } from "../ports.ts";
import { type ProjectPaths, readOptional, readRequired } from "./project-paths.ts";

/**
 * The project's files as a run reads them.
 * @param task a text that replaces prompt and plan; null to read the project's
 */
export function createProjectFiles(paths: ProjectPaths, task: string | null): ProjectFiles {
  return {
    dir: paths.project,
    isGone: () => !existsSync(paths.project),
    prompt: () => task ?? readRequired(paths.prompt, "The prompt", "Write it, or name another with --prompt."),
    plan: () => (task === null ? readOptional(paths.plan) : null),
    reviewPrompt: () => readOptional(join(paths.ralph, "REVIEW_PROMPT.md")),
  };
}
