import { commandsOf } from "./commands.ts";
import type { ProjectFiles } from "./files.ts";
import { type GithubRepository, githubRepository } from "./github-remote.ts";
import { detectMonorepo, type Monorepo } from "./monorepo.ts";
import { findNestedProjects, joinedCommands } from "./nested-projects.ts";
import { prdCandidates } from "./prd-candidates.ts";
import { detectLayout, type Layout } from "./project-layout.ts";
import { countSources } from "./sources.ts";
import type { Commands, Stack } from "./stack.ts";
import { stacksIn } from "./stacks.ts";
import { detectTaskRunner, type TaskRunner } from "./task-runner.ts";

/** Where the folder stands in git. */
export type GitFacts = {
  isRepository: boolean;
  hasCommit: boolean;
  branch: string | null;
  /** URL of `origin`. */
  remote: string | null;
};

/** All that can be told of a folder by looking. */
export type Findings = {
  /** Every language found, that with most source first. */
  stacks: Stack[];
  /** Main language; `unknown` where nothing tells. */
  type: string;
  /** The project's name by its manifest; null if none says one. */
  name: string | null;
  commands: Commands;
  runner: TaskRunner | null;
  monorepo: Monorepo | null;
  layout: Layout;
  git: GitFacts;
  github: GithubRepository | null;
  prds: string[];
  /** Whether there is any file that is source, or says what the project is. */
  hasSource: boolean;
};

/** Looks at a project. Pure: all that it reads comes through the port. */
export function detect(files: ProjectFiles, git: GitFacts): Findings {
  const sources = countSources(files);
  const own = stacksIn(files, sources);
  const below = own.length > 0 ? [] : findNestedProjects(files);
  const stacks = own.length > 0 ? own : below.flatMap((project) => project.stacks);
  const runner = detectTaskRunner(files);
  const [main] = stacks;
  return {
    stacks,
    type: main?.language ?? sources[0]?.language ?? "unknown",
    name: own[0]?.name ?? null,
    commands: commandsOf(own, runner, joinedCommands(below)),
    runner,
    monorepo: detectMonorepo(files),
    layout: detectLayout(files),
    git,
    github: githubRepository(git.remote),
    prds: prdCandidates(files),
    hasSource: stacks.length > 0 || sources.length > 0,
  };
}
