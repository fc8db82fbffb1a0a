import { SETTINGS } from "./settings/settings.ts";

/** What a reader calls the project: PROJECT_NAME, or its folder's name where nobody gave it one. */
export function projectName({ settings, project }: { settings: Record<string, unknown>; project: string }): string {
  const name = settings.PROJECT_NAME;
  const isGiven = typeof name === "string" && name !== SETTINGS.PROJECT_NAME.default;
  return isGiven ? name : (project.split(/[\\/]/).at(-1) ?? "");
}

/**
 * The owner's folder and the worktree's name in the path of a worktree, or of a project in one. It is looked for at the beginnings of names
 * alone: a journal may say that its project has a very long one.
 */
const IN_WORKTREE = /(?<![^/\\])([^/\\]+)[/\\]\.ralph[/\\]worktrees[/\\]([^/\\]+)(?:[/\\]|$)/;

export function isInWorktree(project: string): boolean {
  return IN_WORKTREE.test(project);
}

/** How lists call a project, and `-C` takes it: by the name of its folder, a worktree after its owner, as in `shop/oak`. */
export function projectTitle(project: string): string {
  const [, owner, worktree] = IN_WORKTREE.exec(project) ?? [];
  return owner === undefined ? (project.split(/[\\/]/).at(-1) ?? project) : `${owner}/${worktree}`;
}
