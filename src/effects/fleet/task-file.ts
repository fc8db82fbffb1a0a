/** The file with the tasks that several workers share: the plan, or the list that another tool keeps. */
import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { RalphError } from "../../core/errors.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { tagIn } from "../../core/tasks/read-task-master.ts";
import { listSource, planSource, type TaskSource } from "../../core/tasks/task-source.ts";
import { slashPath } from "../files/slash-path.ts";
import { projectPaths, readOptional } from "../project/project-paths.ts";
import { ownerOf } from "../worktrees/worktrees.ts";

export type TaskFile = {
  /** From the project, with forward slashes. */
  path: string;
  /** @throws RalphError `environment` if the text is no list of tasks */
  read(text: string): TaskSource;
};

/** The setting that names another list than the plan. */
export type TaskFileSettings = Pick<Settings, "TASKS_FILE" | "OPTIONAL_SECTIONS">;

/**
 * @param queue see queue.ts; part of the tasks' ids, and so of the names of their branches
 * @param project absolute; a worktree's has its list at the same place
 * @returns null without a list that is named, and without a plan
 * @throws RalphError `usage` if the list that is named lies outside of the project
 */
export function taskFile(
  queue: string,
  project: string,
  { TASKS_FILE, OPTIONAL_SECTIONS }: TaskFileSettings,
): TaskFile | null {
  const file = TASKS_FILE === null ? projectPaths(project, null, null).plan : resolve(project, TASKS_FILE);
  if (file === null) return null;
  const path = slashPath(project, file);
  if (path === "" || path.startsWith("../") || resolve(project, path) !== file)
    throw new RalphError("usage", `${TASKS_FILE} is not in the project.`, {
      hint: "Name a list of tasks that workers have in their own checkouts.",
    });
  const hash = (text: string) => createHash("sha256").update(queue).update(text).digest("hex");
  return {
    path,
    read(text) {
      const tag = tagIn(readOptional(join(ownerOf(project), ".taskmaster", "state.json")) ?? "");
      const list = TASKS_FILE === null ? null : listSource({ path, text }, { now: Date.now(), tag }, hash);
      if (list !== null) return list;
      if (TASKS_FILE === null || /\.md$/i.test(path)) return planSource(text, OPTIONAL_SECTIONS, hash);
      throw new RalphError("environment", `${path} is no list of tasks that ralph knows.`, {
        hint: "It reads a plan in Markdown, and the lists of spec-kit, OpenSpec, prd.json, Task Master and beads.",
      });
    },
  };
}
