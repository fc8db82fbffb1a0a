import { commandsOf } from "./commands.ts";
import type { ProjectFiles } from "./files.ts";
import { countSources, NOT_OURS } from "./sources.ts";
import { type Commands, commandWord, type Stack } from "./stack.ts";
import { stacksIn } from "./stacks.ts";
import { taskCommands } from "./task-runner.ts";

/** A project in a folder of a repository that has none at its root: `backend`, `frontend`. */
export type NestedProject = { folder: string; stacks: Stack[]; commands: Commands; sources: number };

/** With more projects than this, no user types all their commands in a row. */
const MAX_PROJECTS = 5;
/** Folders beside the product. */
const BESIDE_PRODUCT = /^(?:docs?|documentation|website|examples?|samples?|demos?|scripts?|tools?|infra|deploy)$/i;

/** The projects one folder below the root, the one with most source first; none if there are too many. */
export function findNestedProjects(files: ProjectFiles): NestedProject[] {
  const found = files.list("").flatMap(({ name, kind }): NestedProject[] => {
    if (kind !== "folder" || name.startsWith(".") || NOT_OURS.has(name) || BESIDE_PRODUCT.test(name)) return [];
    const inside = within(files, name);
    const counted = countSources(inside);
    const stacks = stacksIn(inside, counted);
    if (stacks.length === 0 || commandWord(name) === null) return [];
    const commands = commandsOf(stacks, taskCommands(inside));
    return [{ folder: name, stacks, commands, sources: counted.reduce((sum, one) => sum + one.files, 0) }];
  });
  return found.length > MAX_PROJECTS ? [] : found.sort((a, b) => b.sources - a.sources);
}

/**
 * The commands of all projects, each run in its folder. `test` needs a command in every project, since a gate must
 * cover all of them; `run` needs exactly one.
 */
export function joinedCommands(projects: readonly NestedProject[]): Commands {
  const parts = (use: keyof Commands) =>
    projects.flatMap(({ folder, commands }) => (commands[use] === null ? [] : [{ folder, command: commands[use] }]));
  const inTurn = (use: keyof Commands) =>
    parts(use)
      .map(({ folder, command }, index) => `cd ${index === 0 ? "" : "../"}${folder} && ${command}`)
      .join(" && ") || null;
  return {
    install: inTurn("install"),
    build: inTurn("build"),
    test: parts("test").length === projects.length ? inTurn("test") : null,
    run: parts("run").length === 1 ? inTurn("run") : null,
    lint: inTurn("lint"),
  };
}

function within(files: ProjectFiles, folder: string): ProjectFiles {
  const place = (path: string) => (path === "" ? folder : `${folder}/${path}`);
  return {
    exists: (path) => files.exists(place(path)),
    read: (path) => files.read(place(path)),
    list: (path) => files.list(place(path)),
  };
}
