import { detectDeno } from "./deno.ts";
import { detectDotnet } from "./dotnet.ts";
import { detectElixir } from "./elixir.ts";
import type { ProjectFiles } from "./files.ts";
import { type GithubRepository, githubRepository } from "./github-remote.ts";
import { detectGo } from "./go.ts";
import { detectJvm } from "./jvm.ts";
import { detectLayout, type Layout } from "./layout.ts";
import { detectMonorepo, type Monorepo } from "./monorepo.ts";
import { detectNative } from "./native.ts";
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
  detectNative,
] as const;

/** Looks at a project. Pure: all that it reads comes through the port. */
export function detect(files: ProjectFiles, git: GitFacts): Findings {
  const sources = countSources(files);
  const count = (stack: Stack) =>
    sources.filter(({ language }) => isWrittenIn(stack, language)).reduce((sum, one) => sum + one.files, 0);
  const stacks = DETECTORS.flatMap((look) => look(files) ?? [])
    .sort((a, b) => count(b) - count(a))
    .map((stack) => ({ ...stack, language: writtenIn(stack, sources) }));
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

/** Languages that one tool builds: what its file leaves open, the sources tell. */
const FAMILIES = [
  ["javascript", "typescript"],
  ["java", "kotlin"],
  ["cpp", "c"],
] as const;

function familyOf(language: string): readonly string[] {
  return FAMILIES.find((family) => family.some((one) => one === language)) ?? [language];
}

function isWrittenIn({ language }: Stack, counted: string): boolean {
  return familyOf(language).includes(counted);
}

/** The first of a family is what its tool says by default; a file that names the second is believed. */
function writtenIn({ language }: Stack, sources: ReturnType<typeof countSources>): string {
  const [usual, other] = familyOf(language);
  if (other === undefined || language !== usual) return language;
  const first = sources.find((one) => one.language === usual || one.language === other)?.language;
  return first ?? language;
}

/** Files whose commands the project's people wrote themselves; those of the others are what is usual. */
const WRITTEN = new Set(["package.json", "deno.json", "deno.jsonc", "composer.json"]);

/** What the project itself says comes before what is usual; of several languages only the runner knows them all. */
function commandsOf(stacks: readonly Stack[], runner: TaskRunner | null): Commands {
  const own = stacks.map(({ commands }) => commands);
  const tasks = runner?.commands ?? noCommands();
  const [main, second] = stacks;
  const ordered =
    main !== undefined && second === undefined && WRITTEN.has(main.marker) ? [...own, tasks] : [tasks, ...own];
  const first = (name: keyof Commands) => ordered.find((commands) => commands[name] !== null)?.[name] ?? null;
  return {
    install: main?.commands.install ?? first("install"),
    build: first("build"),
    test: first("test"),
    run: first("run"),
    lint: first("lint"),
  };
}
