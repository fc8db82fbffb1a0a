import { asObject, asText, firstOf, type ProjectFiles, readObject } from "./files.ts";
import { ownFiles } from "./sources.ts";
import type { Commands, Stack } from "./stack.ts";
import { isTest } from "./test-script.ts";
import { inEveryPackage } from "./workspace-scripts.ts";

const LOCKS = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
  ["package-lock.json", "npm"],
] as const;

/** Programs that wait for changes unless a flag makes them end. */
const WATCHING = [
  [/\b(?:react-scripts|craco|react-app-rewired) test\b(?!.*--watchAll=false)/, "--watchAll=false"],
  [/\bkarma start\b(?!.*--single-run)/, "--single-run"],
  [/\bng test\b(?!.*--(?:no-watch|watch[= ]false))/, "--watch=false"],
] as const;

/** Detects a project of Node.js, Bun or a browser by its `package.json`. */
export function detectNode(files: ProjectFiles): Stack | null {
  if (!files.exists("package.json")) return null;
  const manifest = readObject(files, "package.json") ?? {};
  const dependencies = new Set(
    ["dependencies", "devDependencies", "peerDependencies"].flatMap((key) =>
      Object.keys(asObject(manifest[key]) ?? {}),
    ),
  );
  const isTypeScript = dependencies.has("typescript") || files.exists("tsconfig.json");
  const manager = managerOf(files, manifest);
  return {
    language: isTypeScript ? "typescript" : "javascript",
    marker: "package.json",
    name: asText(manifest.name),
    manager,
    commands: commandsOf({ files, manager, dependencies, scripts: asObject(manifest.scripts) ?? {} }),
  };
}

function managerOf(files: ProjectFiles, manifest: Record<string, unknown>): string {
  const stated = /^(npm|pnpm|yarn|bun)@/.exec(asText(manifest.packageManager) ?? "")?.[1];
  if (stated !== undefined) return stated;
  const lock = firstOf(
    files,
    LOCKS.map(([file]) => file),
  );
  return LOCKS.find(([file]) => file === lock)?.[1] ?? "npm";
}

type Facts = {
  files: ProjectFiles;
  manager: string;
  dependencies: ReadonlySet<string>;
  scripts: Record<string, unknown>;
};

function commandsOf({ files, manager, dependencies, scripts }: Facts): Commands {
  const usable = (name: string) => {
    const script = asText(scripts[name]);
    return script !== null && (!name.startsWith("test") || isTest(script));
  };
  const call = (...names: string[]) => {
    const name = names.find(usable);
    if (name === undefined) return null;
    const once = WATCHING.find(([program]) => program.test(asText(scripts[name]) ?? ""))?.[1];
    return once === undefined
      ? script(manager, name)
      : `${script(manager, name)}${manager === "npm" ? " --" : ""} ${once}`;
  };
  const runner = runnerOf(files, manager, dependencies);
  const nx = (target: string) => (files.exists("nx.json") ? `${executor(manager)} nx run-many -t ${target}` : null);
  return {
    install: `${manager} install`,
    build: call("build") ?? nx("build") ?? inEveryPackage(files, manager, "build", () => true),
    test:
      call("test", "test:unit", "test:ci") ??
      (runner === null ? null : nx("test")) ??
      inEveryPackage(files, manager, "test", isTest) ??
      runner,
    run: call("start", "dev", "serve"),
    lint: call("lint", "check") ?? nx("lint"),
  };
}

/** The installed test program, if no script calls one. */
function runnerOf(files: ProjectFiles, manager: string, dependencies: ReadonlySet<string>): string | null {
  const run = executor(manager);
  if (dependencies.has("vitest")) return `${run} vitest run`;
  if (dependencies.has("jest")) return `${run} jest`;
  if (manager !== "bun") return null;
  return ownFiles(files).some((name) => /[._](?:test|spec)\.[cm]?[jt]sx?$/.test(name)) ? "bun test" : null;
}

function executor(manager: string): string {
  return { npm: "npx", pnpm: "pnpm exec", yarn: "yarn", bun: "bunx" }[manager] ?? "npx";
}

/** The command for a script; `bun test` would start Bun's own runner instead. */
function script(manager: string, name: string): string {
  const isShort = manager !== "bun" && (name === "test" || name === "start");
  return `${manager} ${isShort ? "" : "run "}${name}`;
}
