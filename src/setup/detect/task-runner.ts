import { filesMatching, firstOf, type ProjectFiles } from "./files.ts";
import { type Commands, noCommands } from "./stack.ts";
import { tomlKeys, tomlTables } from "./toml.ts";

/** The usual task names for each command. */
const TASKS = {
  install: ["install", "setup", "bootstrap", "deps"],
  build: ["build", "compile"],
  test: ["test", "tests", "unit"],
  run: ["run", "start", "serve", "dev"],
  lint: ["lint", "check"],
} as const satisfies Readonly<Record<keyof Commands, readonly string[]>>;

type Names = Readonly<Record<keyof Commands, readonly string[]>>;

/** `make install` writes into the system, `all` is the build, and `check` is GNU's name for the tests. */
const MAKE_TASKS: Names = {
  ...TASKS,
  install: ["setup", "bootstrap", "deps"],
  build: [...TASKS.build, "all"],
  test: [...TASKS.test, "check"],
  lint: ["lint"],
};

/** A program that runs the project's named tasks. */
type Kind = {
  files: readonly string[];
  command: string;
  names: Names;
  tasks(text: string, files: ProjectFiles): string[];
};

const KINDS: readonly Kind[] = [
  {
    files: ["justfile", "Justfile", ".justfile"],
    command: "just",
    names: TASKS,
    tasks: justTasks,
  },
  {
    files: ["Makefile", "makefile", "GNUmakefile"],
    command: "make",
    names: MAKE_TASKS,
    tasks: makeTasks,
  },
  {
    files: ["mise.toml", ".mise.toml", "mise/config.toml", ".config/mise.toml", ".config/mise/config.toml"],
    command: "mise run",
    names: TASKS,
    tasks: miseTasks,
  },
  {
    files: [
      "Taskfile.yml",
      "taskfile.yml",
      "Taskfile.yaml",
      "taskfile.yaml",
      "Taskfile.dist.yml",
      "taskfile.dist.yml",
      "Taskfile.dist.yaml",
      "taskfile.dist.yaml",
    ],
    command: "task",
    names: TASKS,
    tasks: taskfileTasks,
  },
];

/** The tasks of the project's task runner whose names show their purpose; without one, no commands. */
export function taskCommands(files: ProjectFiles): Commands {
  const commands = noCommands();
  for (const kind of KINDS) {
    const marker = firstOf(files, kind.files);
    if (marker === null) continue;
    const tasks = new Set(kind.tasks(files.read(marker) ?? "", files));
    for (const use of Object.keys(TASKS) as (keyof Commands)[]) {
      const task = kind.names[use].find((name) => tasks.has(name));
      commands[use] = task === undefined ? null : `${kind.command} ${task}`;
    }
    return commands;
  }
  return commands;
}

/** Recipes that run without an argument: each parameter has a default, or takes any number. */
function justTasks(text: string): string[] {
  return [...text.matchAll(/^@?([A-Za-z_][\w-]*)([ \t]+[^:\n]*)?:(?!=)/gm)].flatMap(
    ([, name = "", parameters = ""]) => {
      const words = parameters
        .replace(/"[^"]*"|'[^']*'/g, "x")
        .trim()
        .split(/\s+/)
        .filter(Boolean);
      return words.every((word) => word.includes("=") || word.startsWith("*")) ? [name] : [];
    },
  );
}

/** The targets of all rules; a rule may have several. */
function makeTasks(text: string): string[] {
  return matches(text, /^([A-Za-z_][^:=#\n]*)::?(?![:=])/gm).flatMap((targets) => targets.trim().split(/\s+/));
}

const MISE_FOLDERS = ["mise-tasks", ".mise-tasks", "mise/tasks", ".mise/tasks", ".config/mise/tasks"] as const;

/** Task names from tables and keys, and from the programs in mise's task folders. */
function miseTasks(text: string, files: ProjectFiles): string[] {
  const tables = tomlTables(text);
  return [
    ...tables.flatMap(({ name }) => /^tasks\.([\w-]+)$/.exec(name)?.[1] ?? []),
    ...tomlKeys(tables, "tasks"),
    ...MISE_FOLDERS.flatMap((folder) => filesMatching(files, folder, /^[\w-]+$/)),
  ];
}

/** The keys directly below `tasks`: those below `vars` and the like are none. */
function taskfileTasks(text: string): string[] {
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => /^tasks:\s*(?:#.*)?$/.test(line));
  if (start === -1) return [];
  const end = lines.findIndex((line, at) => at > start && /^[^\s#]/.test(line));
  const keys = lines.slice(start + 1, end === -1 ? undefined : end).flatMap((line) => {
    const [, indent = "", name] = /^( +)["']?([A-Za-z_][\w-]*)["']?:/.exec(line) ?? [];
    return name === undefined ? [] : [{ indent, name }];
  });
  return keys.filter(({ indent }) => indent === keys[0]?.indent).map(({ name }) => name);
}

function matches(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map((match) => match[1] ?? "");
}
