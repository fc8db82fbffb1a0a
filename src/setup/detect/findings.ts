import { commandsOf } from "./commands.ts";
import type { ProjectFiles } from "./files.ts";
import { type GithubRepository, githubRepository } from "./github-remote.ts";
import { findNestedProjects, joinedCommands } from "./nested-projects.ts";
import { findTodo, prdCandidates, type TodoList } from "./prd-candidates.ts";
import { detectLayout, type Layout } from "./project-layout.ts";
import { countSources } from "./sources.ts";
import type { Commands, Stack } from "./stack.ts";
import { stacksIn } from "./stacks.ts";
import { taskCommands } from "./task-runner.ts";

/** Everything that the files of a folder show. */
export type Findings = {
  /** Every language found, the one with most source first. */
  stacks: Stack[];
  /** Main language; `unknown` if no file shows one. */
  type: string;
  /** The project's name in its manifest; null if there is none. */
  name: string | null;
  commands: Commands;
  layout: Layout;
  github: GithubRepository | null;
  prds: string[];
  todo: TodoList | null;
  /** Whether any file is source code or a manifest. */
  hasSource: boolean;
};

/**
 * Detects a project's languages, commands and layout. Pure: it reads through the port alone.
 * @param remote URL of `origin`
 */
export function detect(files: ProjectFiles, remote: string | null): Findings {
  const sources = countSources(files);
  const own = stacksIn(files, sources);
  const below = own.length > 0 ? [] : findNestedProjects(files);
  const stacks = own.length > 0 ? own : below.flatMap((project) => project.stacks);
  const [main] = stacks;
  return {
    stacks,
    type: main?.language ?? sources[0]?.language ?? "unknown",
    name: own[0]?.name ?? null,
    commands: commandsOf(own, taskCommands(files), joinedCommands(below)),
    layout: detectLayout(files),
    github: githubRepository(remote),
    prds: prdCandidates(files),
    todo: findTodo(files),
    hasSource: stacks.length > 0 || sources.length > 0,
  };
}
