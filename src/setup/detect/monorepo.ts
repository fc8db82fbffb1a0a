import { asObject, firstOf, type ProjectFiles, readObject } from "./files.ts";
import { goModules } from "./go.ts";
import { gradleModules, mavenModules } from "./jvm.ts";
import { hasTable, tomlList, tomlTables } from "./toml.ts";

/** A repository of several packages: the tool that manages them, and the package paths in that tool's file. */
export type Monorepo = { tool: string; members: string[] };

/** The tool that manages a monorepo's packages; null for an ordinary project. */
export function detectMonorepo(files: ProjectFiles): Monorepo | null {
  const runner = firstOf(files, ["turbo.json", "nx.json", "lerna.json", "rush.json"])?.replace(".json", "") ?? null;
  const pnpm = files.read("pnpm-workspace.yaml");
  if (pnpm !== null) return { tool: runner ?? "pnpm", members: yamlList(pnpm, "packages") };
  const { workspaces } = readObject(files, "package.json") ?? {};
  const listed = Array.isArray(workspaces) ? workspaces : asObject(workspaces)?.packages;
  if (Array.isArray(listed))
    return { tool: runner ?? "workspaces", members: listed.filter((one) => typeof one === "string") };
  const cargo = tomlTables(files.read("Cargo.toml") ?? "");
  if (hasTable(cargo, "workspace")) return { tool: "cargo", members: tomlList(cargo, "workspace", "members") };
  const uv = tomlTables(files.read("pyproject.toml") ?? "");
  if (hasTable(uv, "tool.uv.workspace")) return { tool: "uv", members: tomlList(uv, "tool.uv.workspace", "members") };
  const go = files.read("go.work");
  if (go !== null) return { tool: "go", members: goModules(go) };
  const gradle = gradleModules(files.read("settings.gradle.kts") ?? files.read("settings.gradle") ?? "");
  if (gradle.length > 0) return { tool: "gradle", members: gradle };
  const maven = mavenModules(files.read("pom.xml") ?? "");
  if (maven.length > 0) return { tool: "maven", members: maven };
  return runner === null ? null : { tool: runner, members: [] };
}

/** The string entries of a list below an unindented key. */
function yamlList(text: string, key: string): string[] {
  const block =
    new RegExp(`^${key}:[ \\t]*\\n((?:[ \\t]*(?:-.*|#.*)?\\n?)*)`, "m").exec(`${text.replaceAll("\r", "")}\n`)?.[1] ??
    "";
  return [...block.matchAll(/^[ \t]*-[ \t]*["']?([^"'#\n]+?)["']?[ \t]*(?:#.*)?$/gm)].map((match) => match[1] ?? "");
}
