import { isTestFile } from "../answer/test-file.ts";
import { fieldsOf } from "../json-value.ts";
import { commandParts } from "../text/command-parts.ts";
import { splitShellWords } from "../text/shell-words.ts";

/** What belongs to the gates of a project. Paths are relative, with forward slashes. */
export type GateFileRules = {
  /** Files that a command names or reads by name. */
  named: ReadonlySet<string>;
  /** Those to which a link leads that says by its name that it checks. */
  checks: ReadonlySet<string>;
  /** Names of the scripts and tasks of manifests (`package.json`, `deno.json` …) that the commands run. */
  scripts: ReadonlySet<string>;
  patterns: readonly RegExp[];
  /** Those of GATE_FILES, which are among the patterns. */
  extra: readonly RegExp[];
};

export type GateFileInput = {
  commands: readonly string[];
  /** Globs of GATE_FILES. */
  extra: readonly string[];
  /** The text of a file of the project; null if there is none. */
  read(path: string): string | null;
  /** The file of the project that a path leads to through links; null if it is that file, or there is none. */
  leadsTo?(path: string): string | null;
};

/** Nested scripts are followed so far; a loop of scripts ends there too. */
const DEEPEST = 6;
/** So much of a script or task file is read. */
const LONGEST = 20_000;

/** Configuration of test runners, coverage and CI: always part of a gate. */
const ALWAYS: readonly RegExp[] = [
  /(?:^|\/)(?:jest|vitest|ava|playwright|cypress|karma|wdio|nightwatch)\.(?:config|conf)\.[^/]+$/,
  /(?:^|\/)(?:vitest\.workspace\.[^/]+|\.mocharc(?:\.[^/]+)?|\.taprc|\.nycrc(?:\.[^/]+)?|\.c8rc(?:\.[^/]+)?|\.?codecov\.ya?ml|\.coveragerc)$/,
  /(?:^|\/)(?:pytest\.ini|tox\.ini|noxfile\.py|setup\.cfg|pyproject\.toml|\.rspec|phpunit\.xml(?:\.dist)?|\.simplecov|bunfig\.toml)$/,
  /(?:^|\/)(?:__snapshots__|__fixtures__)\//,
  /^(?:\.github\/workflows\/|\.circleci\/|\.gitlab-ci\.yml$|azure-pipelines\.yml$|Jenkinsfile$|\.travis\.yml$|bitbucket-pipelines\.yml$)/,
];

const MANAGERS = /^(?:npm|pnpm|yarn|bun)$/;
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
  [/^(?:cargo)$/, /(?:^|\/)(?:Cargo\.toml|clippy\.toml|\.config\/nextest\.toml|[^/]+\.rs)$/],
  // Each package has its own scripts, and a test runner reads its settings there.
  [
    /^(?:npm|pnpm|yarn|bun|turbo|nx|lerna|jest|vitest|mocha|ava|nyc|c8|tap|eslint|react-scripts)$/,
    /(?:^|\/)package\.json$/,
  ],
  // It may name another shell for scripts.
  [MANAGERS, /(?:^|\/)\.npmrc$/],
  [/^(?:turbo|nx)$/, /(?:^|\/)(?:turbo|nx|project)\.json$/],
  [/^(?:deno)$/, /(?:^|\/)deno\.jsonc?$/],
  [/^(?:golangci-lint)$/, /(?:^|\/)\.golangci\.[^/]+$/],
  [/^(?:gradle|gradlew|mvn|mvnw)$/, /(?:^|\/)(?:build\.gradle(?:\.kts)?|pom\.xml)$/],
  [/^(?:mix)$/, /(?:^|\/)(?:mix\.exs|\.credo\.exs|test\/test_helper\.exs)$/],
  [/^(?:dotnet)$/, /(?:^|\/)(?:[^/]+\.(?:runsettings|csproj|fsproj)|Directory\.Build\.props)$/],
  [/^(?:rake|bundle|rspec|rubocop)$/, /(?:^|\/)(?:Rakefile|\.rubocop\.yml)$/],
  [/^(?:composer|phpunit|pest)$/, /(?:^|\/)composer\.json$/],
  [/^(?:ctest|cmake)$/, /(?:^|\/)CTestCustom\.cmake$/],
];

const INTERPRETERS =
  /^(?:sh|bash|zsh|dash|ksh|node|bun|deno|python\d?(?:\.\d+)?|ruby|perl|php|pwsh|powershell|tsx|ts-node)$/;
const WRAPPERS =
  /^(?:npx|bunx|pnpx|env|exec|time|cross-env|dotenv|poetry|uv|pipenv|hatch|rye|nox|tox|sudo|nice|timeout|bundle)$/;
const TASK_FILES: Readonly<Record<string, readonly string[]>> = {
  // In the order in which GNU make looks for them (its manual, "Makefile Names").
  make: ["GNUmakefile", "makefile", "Makefile"],
  gmake: ["GNUmakefile", "makefile", "Makefile"],
  just: ["justfile", "Justfile", ".justfile"],
  task: ["Taskfile.yml", "Taskfile.yaml"],
  mise: ["mise.toml", ".mise.toml"],
  rake: ["Rakefile"],
};
/** Programs that run scripts of package.json, all of those they are given. */
const SCRIPT_RUNNERS = /^(?:npm-run-all|run-s|run-p|npm-run-all2|turbo|lerna|nx|concurrently|wsrun)$/;
/** Where a manager of packages is told to work: in a folder, or in a package that is known by its name only. */
const FOLDER_FLAGS = /^(?:--prefix|-C|--cwd|--dir)$/;
const PACKAGE_FLAGS = /^(?:-w|--workspace|--filter|-F|--include|--exclude|--from|-j|--jobs)$/;
/** A named file there is what the agent works on, even if a gate runs it. */
const WORK = /^(?:src|lib|app|pkg|internal|cmd)\//;

/** The rules by which files of a project belong to its gates (product.md "Gates that hold"). */
export function gateFileRules({ commands, extra, read, leadsTo }: GateFileInput): GateFileRules {
  const named = new Set<string>();
  const checks = new Set<string>();
  const scripts = new Set<string>();
  const programs = new Set<string>();
  const visited = new Set<string>();

  function addFile(path: string, folder: string): string | null {
    const normal = `${folder}${path.replace(/^\.\//, "")}`;
    if (normal.startsWith("/") || normal.startsWith("..") || WORK.test(normal)) return null;
    const text = read(normal);
    if (text === null) return null;
    named.add(normal);
    // A link stays the same when the file changes that is run through it.
    const behind = leadsTo?.(normal) ?? null;
    if (behind === null || WORK.test(behind)) return text;
    named.add(behind);
    if (CHECK.test(normal)) checks.add(behind);
    return text;
  }

  /** Follows the script of a manifest; the same name in other packages is gate as well. */
  function addScript(name: string, depth: number, folder: string, manifest = "package.json"): void {
    if (name === "" || depth > DEEPEST) return;
    const path = `${folder}${manifest}`;
    scripts.add(name);
    if (visited.has(`${path} ${name}`)) return;
    visited.add(`${path} ${name}`);
    const own = scriptsOf(read(path));
    const texts = [`pre${name}`, name, `post${name}`].flatMap((one) => own[one] ?? []);
    if (texts.length > 0) named.add(path);
    for (const text of texts) follow(text, depth + 1, folder);
  }

  /** Follows the recipe of a target, and those that it needs. */
  function addTarget(text: string, name: string | null, depth: number, folder: string): void {
    if (depth > DEEPEST || visited.has(`target ${folder}${name}`)) return;
    visited.add(`target ${folder}${name}`);
    let isWanted = false;
    let hasFirst = false;
    for (const line of text.slice(0, LONGEST).split(/\r?\n/)) {
      const rule = /^([\w./-][\w./ -]*)(?: [\w="' ]*)?::?(?!=)(.*)$/.exec(line);
      if (rule !== null) {
        const targets = (rule[1] ?? "").trim().split(/\s+/);
        isWanted = name === null ? !hasFirst && !(targets[0] ?? "").startsWith(".") : targets.includes(name);
        if (!(targets[0] ?? "").startsWith(".")) hasFirst = true;
        if (isWanted)
          for (const need of (rule[2] ?? "").split(/\s+/))
            if (/^[\w./-]+$/.test(need)) addTarget(text, need, depth + 1, folder);
      } else if (isWanted && /^[ \t]+\S/.test(line)) follow(line.trim().replace(/^[@-]+/, ""), depth + 1, folder);
    }
  }

  function follow(command: string, depth: number, start: string): void {
    if (depth > DEEPEST) return;
    let folder = start;
    const parts = commandParts(command)?.map(({ text }) => text) ?? command.split(/&&|\|\||[;|\n]/);
    for (const part of parts) {
      const words = splitShellWords(part) ?? part.split(/\s+/);
      const [first = "", into = ""] = words;
      if (first === "cd") folder = folderOf(folder, into);
      else followPart(words, depth, folder);
    }
  }

  function followPart(all: readonly string[], depth: number, folder: string): void {
    const words = all.filter((word) => !/^\w+=/.test(word));
    const [first = "", ...args] = words;
    const program =
      first
        .split(/[/\\]/)
        .at(-1)
        ?.replace(/\.(?:cmd|exe|bat)$/, "") ?? "";
    if (program === "") return;
    programs.add(program);
    if (WRAPPERS.test(program)) {
      const isWord = (word: string) =>
        !word.startsWith("-") && word !== "run" && word !== "exec" && !/^\d+\w?$/.test(word);
      const from = args.findIndex(isWord);
      if (from >= 0) followPart(args.slice(from), depth + 1, folder);
      return;
    }
    if (MANAGERS.test(program)) followManager(args, depth, folder);
    if (SCRIPT_RUNNERS.test(program))
      for (const word of args.flatMap((one) => one.split(/\s+/)))
        if (/^[\w:.-]+$/.test(word) && !word.startsWith("-")) addScript(word.replace(/^npm:/, ""), depth, folder);
    // `python -m pytest`
    const module = /^python/.test(program) ? args[args.indexOf("-m") + 1] : undefined;
    if (module !== undefined && args.includes("-m")) programs.add(module);
    const taskFiles = TASK_FILES[program] ?? [];
    // A new one would be read in place of the one that is there.
    const there = taskFiles.findIndex((file) => read(`${folder}${file}`) !== null);
    for (const file of taskFiles.slice(0, Math.max(0, there))) named.add(`${folder}${file}`);
    for (const file of taskFiles) {
      const text = addFile(file, folder);
      if (text === null || !/^(?:g?make|just)$/.test(program)) continue;
      const targets = args.filter((word) => /^[\w./-]+$/.test(word) && !word.startsWith("-"));
      for (const target of targets.length > 0 ? targets : [null]) addTarget(text, target, depth, folder);
    }
    if (program === "deno" || program === "composer") {
      const manifests = program === "deno" ? ["deno.json", "deno.jsonc"] : ["composer.json"];
      for (const manifest of manifests)
        for (const word of args) if (/^[\w:.-]+$/.test(word)) addScript(word, depth, folder, manifest);
    }
    const files = INTERPRETERS.test(program) ? args.filter((word) => !word.startsWith("-")) : [first, ...args];
    for (const file of files) {
      if (!/[./]/.test(file) || file.endsWith("/")) continue;
      const text = addFile(file, folder);
      if (text !== null && isShell(file, text)) follow(text.slice(0, LONGEST), depth + 1, folder);
    }
  }

  function followManager(args: readonly string[], depth: number, start: string): void {
    let folder = start;
    const words: string[] = [];
    for (const [at, word] of args.entries()) {
      const before = args[at - 1] ?? "";
      const given = /^(--prefix|--cwd|--dir)=(.+)$/.exec(word)?.[2];
      if (FOLDER_FLAGS.test(before) || given !== undefined) folder = folderOf(start, given ?? word);
      else if (!PACKAGE_FLAGS.test(before) && !word.startsWith("-")) words.push(word);
    }
    if (words[0] === "workspace") words.splice(0, 2);
    for (const one of ["workspaces", "foreach"]) if (words[0] === one) words.splice(0, 1);
    const [verb = "", name = ""] = words;
    if (verb === "exec" || verb === "dlx" || verb === "x") followPart(words.slice(1), depth + 1, folder);
    else if (/^(?:run|run-script|rum)$/.test(verb)) addScript(name, depth, folder);
    else if (verb === "t" || verb === "tst") addScript("test", depth, folder);
    else addScript(verb, depth, folder);
  }

  for (const command of commands) follow(command, 0, "");
  const readBy = READ_BY.filter(([program]) => [...programs].some((one) => program.test(one))).map(
    ([, files]) => files,
  );
  const own = extra.map(globPattern);
  return { named, checks, scripts, patterns: [...ALWAYS, ...readBy, ...own], extra: own };
}

/** What the tree has of a link is where it leads, and not what stands there. */
const LINK_ID = "120000 ";

/** The same rules for a tree in which links are gate files, too: what they lead to is one as well. */
export function withLinkTargets(
  rules: GateFileRules,
  tree: ReadonlyMap<string, string>,
  leadsTo: (path: string) => string | null,
): GateFileRules {
  const [named, checks] = [new Set(rules.named), new Set(rules.checks)];
  for (const [path, id] of tree) {
    if (!id.startsWith(LINK_ID) || !isGateFile(path, rules)) continue;
    const behind = leadsTo(path);
    if (behind === null || WORK.test(behind)) continue;
    named.add(behind);
    if (isCheck(path, rules)) checks.add(behind);
  }
  return { ...rules, named, checks };
}

/** A script that says by its name that it checks: others that a gate runs may be the work itself, as in `python3 todo.py selftest`. */
const CHECK =
  /(?:^|[/._-])(?:checks?|tests?|verify|validate|validation|smoke|ci|lint|gates?|e2e|acceptance|qa|(?:run|all)[._-]?tests?)(?:[._-][^/]*)?$/i;
const SCRIPT = /\.(?:sh|bash|zsh|ps1|cmd|bat|py|rb|pl|php|[cm]?[jt]s)$/;

/**
 * Whether a gate file is nothing but a check: the user says so (GATE_FILES), or it is a script that a command names, by its name.
 * Tests of the usual languages are compared in their own way.
 */
export function isCheck(path: string, { named, checks, extra }: GateFileRules): boolean {
  if (isTestFile(path)) return false;
  return checks.has(path) || (named.has(path) && CHECK.test(path)) || extra.some((pattern) => pattern.test(path));
}

/** Gate files that may lie where the project's tree does not show them: scripts in `.ralph`, or that git ignores. */
export function hiddenFromTree({ named }: GateFileRules): string[] {
  return [...named].filter((path) => SCRIPT.test(path) && (path.startsWith(".ralph/") || CHECK.test(path)));
}

/** Whether a file belongs to the gates: a test, what tests read, or what decides how they run. */
export function isGateFile(path: string, { named, patterns }: GateFileRules): boolean {
  if (path.startsWith(".ralph/")) return named.has(path) && SCRIPT.test(path);
  return named.has(path) || isTestFile(path) || patterns.some((pattern) => pattern.test(path));
}

/** A folder below the project, with a slash at its end; a path out of it counts as none of its own. */
function folderOf(folder: string, into: string): string {
  const path = `${folder}${into.replaceAll("\\", "/")}`.replace(/(?:^|\/)\.(?=\/|$)/g, "").replace(/^\/|\/$/g, "");
  return path === "" || path.startsWith("..") || path.includes("$") ? "" : `${path}/`;
}

/** The scripts of a manifest: a command each, or several. */
function scriptsOf(text: string | null): Readonly<Record<string, string>> {
  try {
    const { scripts, tasks } = JSON.parse(text ?? "{}") as { scripts?: unknown; tasks?: unknown };
    const entries = Object.entries({ ...fieldsOf(tasks), ...fieldsOf(scripts) });
    return Object.fromEntries(
      entries.map(([name, value]) => [
        name,
        [value]
          .flat()
          .filter((one): one is string => typeof one === "string")
          .join(" && "),
      ]),
    );
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
