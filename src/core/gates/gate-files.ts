import { isTestFile } from "../answer/test-file.ts";
import { commandParts } from "../text/command-parts.ts";
import { splitShellWords } from "../text/shell-words.ts";

/** What belongs to the gates of a project. Paths are relative, with forward slashes. */
export type GateFileRules = {
  /** Files that a command names or reads by name. */
  named: ReadonlySet<string>;
  /** Names of the scripts and tasks of manifests (`package.json`, `deno.json` …) that the commands run. */
  scripts: ReadonlySet<string>;
  patterns: readonly RegExp[];
};

export type GateFileInput = {
  commands: readonly string[];
  /** Globs of GATE_FILES. */
  extra: readonly string[];
  /** The text of a file of the project; null if there is none. */
  read(path: string): string | null;
};

/** Nested scripts are followed so far; a loop of scripts ends there too. */
const DEEPEST = 6;

/** Configuration of test runners, coverage and CI: always part of a gate. */
const ALWAYS: readonly RegExp[] = [
  /(?:^|\/)(?:jest|vitest|ava|playwright|cypress|karma|wdio|nightwatch)\.(?:config|conf)\.[^/]+$/,
  /(?:^|\/)(?:vitest\.workspace\.[^/]+|\.mocharc(?:\.[^/]+)?|\.taprc|\.nycrc(?:\.[^/]+)?|\.c8rc(?:\.[^/]+)?|\.?codecov\.ya?ml|\.coveragerc)$/,
  /(?:^|\/)(?:pytest\.ini|tox\.ini|noxfile\.py|setup\.cfg|pyproject\.toml|\.rspec|phpunit\.xml(?:\.dist)?|\.simplecov|bunfig\.toml)$/,
  /(?:^|\/)(?:__snapshots__|__fixtures__)\//,
  /^(?:\.github\/workflows\/|\.circleci\/|\.gitlab-ci\.yml$|azure-pipelines\.yml$|Jenkinsfile$|\.travis\.yml$|bitbucket-pipelines\.yml$)/,
];

/** Files that a tool reads by itself when a gate runs it. */
const READ_BY: readonly (readonly [program: RegExp, files: RegExp])[] = [
  [/^(?:tsc|tsgo|vue-tsc)$/, /(?:^|\/)tsconfig[^/]*\.json$/],
  [/^eslint$/, /(?:^|\/)(?:\.eslintrc[^/]*|eslint\.config\.[^/]+|\.eslintignore)$/],
  [/^biome$/, /(?:^|\/)biome\.jsonc?$/],
  [/^prettier$/, /(?:^|\/)(?:\.prettierrc[^/]*|\.prettierignore|prettier\.config\.[^/]+)$/],
  [
    /^(?:ruff|flake8|mypy|pylint|pyright)$/,
    /(?:^|\/)(?:\.?ruff\.toml|\.flake8|mypy\.ini|\.pylintrc|pyrightconfig\.json)$/,
  ],
  [/^(?:vitest|vite)$/, /(?:^|\/)vite\.config\.[^/]+$/],
  [/^(?:cargo)$/, /(?:^|\/)(?:Cargo\.toml|clippy\.toml|\.config\/nextest\.toml)$/],
  [/^(?:golangci-lint)$/, /(?:^|\/)\.golangci\.[^/]+$/],
  [/^(?:gradle|gradlew|mvn|mvnw)$/, /(?:^|\/)(?:build\.gradle(?:\.kts)?|pom\.xml)$/],
  [/^(?:mix)$/, /(?:^|\/)(?:mix\.exs|\.credo\.exs|test\/test_helper\.exs)$/],
  [/^(?:dotnet)$/, /(?:^|\/)[^/]+\.runsettings$/],
  [/^(?:rake|bundle|rspec)$/, /(?:^|\/)(?:Rakefile|\.rubocop\.yml)$/],
  [/^(?:composer|phpunit|pest)$/, /(?:^|\/)composer\.json$/],
  [/^(?:ctest|cmake)$/, /(?:^|\/)CTestCustom\.cmake$/],
];

const INTERPRETERS =
  /^(?:sh|bash|zsh|dash|ksh|node|bun|deno|python\d?(?:\.\d+)?|ruby|perl|php|pwsh|powershell|tsx|ts-node)$/;
const WRAPPERS =
  /^(?:npx|bunx|pnpx|env|exec|time|cross-env|dotenv|poetry|uv|pipenv|hatch|rye|nox|tox|sudo|nice|timeout)$/;
const MANAGERS = /^(?:npm|pnpm|yarn|bun)$/;
const TASK_FILES: Readonly<Record<string, readonly string[]>> = {
  make: ["Makefile", "makefile", "GNUmakefile"],
  gmake: ["Makefile", "makefile", "GNUmakefile"],
  just: ["justfile", "Justfile", ".justfile"],
  task: ["Taskfile.yml", "Taskfile.yaml"],
  rake: ["Rakefile"],
};
/** A named file there is what the agent works on, even if a gate runs it. */
const WORK = /^(?:src|lib|app|pkg|internal|cmd)\//;

/** The rules by which files of a project belong to its gates (product.md "Gates that hold"). */
export function gateFileRules({ commands, extra, read }: GateFileInput): GateFileRules {
  const named = new Set<string>();
  const scripts = new Set<string>();
  const programs = new Set<string>();
  const packageScripts = scriptsOf(read("package.json"));

  function addFile(path: string): string | null {
    const normal = path.replace(/^\.\//, "");
    if (normal.startsWith("/") || normal.startsWith("..") || WORK.test(normal)) return null;
    const text = read(normal);
    if (text !== null) named.add(normal);
    return text;
  }

  function addScript(name: string, depth: number): void {
    if (scripts.has(name)) return;
    const texts = [`pre${name}`, name, `post${name}`].flatMap((one) => packageScripts[one] ?? []);
    if (texts.length === 0) return;
    scripts.add(name);
    named.add("package.json");
    for (const text of texts) follow(text, depth + 1);
  }

  function follow(command: string, depth: number): void {
    if (depth > DEEPEST) return;
    const parts = commandParts(command)?.map(({ text }) => text) ?? command.split(/&&|\|\||[;|\n]/);
    for (const part of parts) followPart(splitShellWords(part) ?? part.split(/\s+/), depth);
  }

  function followPart(all: readonly string[], depth: number): void {
    const words = all.filter((word) => !/^\w+=/.test(word));
    const [first = "", ...args] = words;
    const program =
      first
        .split(/[/\\]/)
        .at(-1)
        ?.replace(/\.(?:cmd|exe|bat)$/, "") ?? "";
    if (program === "" || program === "cd") return;
    programs.add(program);
    if (WRAPPERS.test(program)) {
      const rest = args.slice(
        args.findIndex((word) => !word.startsWith("-") && word !== "run" && !/^\d+\w?$/.test(word)),
      );
      if (rest.length < words.length) followPart(rest, depth + 1);
      return;
    }
    if (MANAGERS.test(program)) followManager(args, depth);
    for (const file of TASK_FILES[program] ?? []) addFile(file);
    if (program === "deno" || program === "composer") {
      named.add(program === "deno" ? "deno.json" : "composer.json");
      for (const word of args) if (/^[\w:.-]+$/.test(word)) scripts.add(word);
    }
    const files = INTERPRETERS.test(program) ? args.filter((word) => !word.startsWith("-")) : [first, ...args];
    for (const file of files) {
      if (!/[./]/.test(file) || file.endsWith("/")) continue;
      const text = addFile(file);
      if (text !== null && isShell(file, text)) follow(text.slice(0, 20_000), depth + 1);
    }
  }

  function followManager(args: readonly string[], depth: number): void {
    const words = args.filter((word) => !word.startsWith("-"));
    const [verb = "", name = ""] = words;
    if (verb === "exec" || verb === "dlx" || verb === "x") followPart(words.slice(1), depth + 1);
    else if (/^(?:run|run-script|rum)$/.test(verb)) addScript(name, depth);
    else if (verb === "t" || verb === "tst") addScript("test", depth);
    else addScript(verb, depth);
  }

  for (const command of commands) follow(command, 0);
  const readBy = READ_BY.filter(([program]) => [...programs].some((one) => program.test(one))).map(
    ([, files]) => files,
  );
  return { named, scripts, patterns: [...ALWAYS, ...readBy, ...extra.map(globPattern)] };
}

/** Whether a file belongs to the gates: a test, what tests read, or what decides how they run. */
export function isGateFile(path: string, { named, patterns }: GateFileRules): boolean {
  if (path.startsWith(".ralph/")) return false;
  return named.has(path) || isTestFile(path) || patterns.some((pattern) => pattern.test(path));
}

function scriptsOf(text: string | null): Readonly<Record<string, string>> {
  try {
    const { scripts } = JSON.parse(text ?? "{}") as { scripts?: unknown };
    const entries = typeof scripts === "object" && scripts !== null ? Object.entries(scripts) : [];
    return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch {
    return {}; // broken, so the command fails as well
  }
}

function isShell(path: string, text: string): boolean {
  return /\.(?:sh|bash|zsh)$/.test(path) || /^#!.*\b(?:ba|z|da|k)?sh\b/.test(text);
}

/** A glob of GATE_FILES: `*` within a folder, `**` across folders, `?` one character; a folder stands for all in it. */
function globPattern(glob: string): RegExp {
  const normal = glob.trim().replaceAll("\\", "/").replace(/^\.\//, "");
  const source = normal
    .split(/(\*\*\/?|\*|\?)/)
    .map((part) => {
      if (part === "**/") return "(?:[^/]+/)*";
      if (part === "**") return ".*";
      if (part === "*") return "[^/]*";
      if (part === "?") return "[^/]";
      return part.replace(/[.+^${}()|[\]\\]/g, "\\$&");
    })
    .join("");
  return new RegExp(`^${source.replace(/\/$/, "")}(?:/.*)?$`);
}
