import { detectDeno } from "./deno.ts";
import { detectDotnet } from "./dotnet.ts";
import { detectElixir } from "./elixir.ts";
import type { ProjectFiles } from "./files.ts";
import { type GithubRepository, githubRepository } from "./github-remote.ts";
import { detectGo } from "./go.ts";
import { detectJvm } from "./jvm.ts";
import { detectLayout, type Layout } from "./layout.ts";
import { detectMonorepo, type Monorepo } from "./monorepo.ts";
import { detectNode } from "./node.ts";
import { detectPhp } from "./php.ts";
import { prdCandidates } from "./prd-candidates.ts";
import { detectPython } from "./python.ts";
import { detectRuby } from "./ruby.ts";
import { detectRust } from "./rust.ts";
import { countSources } from "./sources.ts";
import { type Commands, noCommands, type Stack } from "./stack.ts";
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

const DETECTORS = [
  detectNode,
  detectDeno,
  detectPython,
  detectRust,
  detectGo,
  detectJvm,
  detectDotnet,
  detectRuby,
  detectPhp,
  detectElixir,
] as const;

/** Looks at a project. Pure: all that it reads comes through the port. */
export function detect(files: ProjectFiles, git: GitFacts): Findings {
  const sources = countSources(files);
  const count = (stack: Stack) =>
    sources.filter(({ language }) => isWrittenIn(stack, language)).reduce((sum, one) => sum + one.files, 0);
  const stacks = DETECTORS.flatMap((look) => look(files) ?? []).sort((a, b) => count(b) - count(a));
  const runner = detectTaskRunner(files);
  const [main] = stacks;
  return {
    stacks,
    type: main?.language ?? sources[0]?.language ?? "unknown",
    name: stacks.find(({ name }) => name !== null)?.name ?? null,
    commands: commandsOf(stacks, runner),
    runner,
    monorepo: detectMonorepo(files),
    layout: detectLayout(files),
    git,
    github: githubRepository(git.remote),
    prds: prdCandidates(files),
    hasSource: stacks.length > 0 || sources.length > 0,
  };
}

function isWrittenIn({ language, marker }: Stack, counted: string): boolean {
  if (marker === "package.json") return counted === "typescript" || counted === "javascript";
  if (language === "java" || language === "kotlin") return counted === "java" || counted === "kotlin";
  return counted === language;
}

/** Of one language its own commands count, the runner's fill gaps; of several only the runner knows them all. */
function commandsOf([main, ...others]: readonly Stack[], runner: TaskRunner | null): Commands {
  const own = main?.commands ?? noCommands();
  const tasks = runner?.commands ?? noCommands();
  const [first, second] = others.length > 0 ? [tasks, own] : [own, tasks];
  return {
    install: first.install ?? second.install,
    build: first.build ?? second.build,
    test: first.test ?? second.test,
    run: first.run ?? second.run,
    lint: first.lint ?? second.lint,
  };
}
