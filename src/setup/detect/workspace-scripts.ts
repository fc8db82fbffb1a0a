import { asObject, asText, type ProjectFiles, readObject } from "./files.ts";

/** How each manager runs a script in all packages that have it; Yarn's syntax differs by version. */
const EVERYWHERE: Readonly<Record<string, (script: string) => string>> = {
  npm: (script) => `npm run ${script} --workspaces --if-present`,
  pnpm: (script) => `pnpm -r run ${script}`,
  bun: (script) => `bun run --filter "*" ${script}`,
};
const MOST_PACKAGES = 200;

/**
 * The command that runs a script in every package, if the packages of a workspace have it and the root does not.
 * @param isUsable judges the script of a package; a single unusable one rules out the command, because it would run
 *   too
 * @returns null if no package has the script
 */
export function inEveryPackage(
  files: ProjectFiles,
  manager: string,
  script: string,
  isUsable: (text: string) => boolean,
): string | null {
  const everywhere = EVERYWHERE[manager];
  if (everywhere === undefined) return null;
  const scripts = packagesOf(files).flatMap(
    (folder) => asText(asObject(readObject(files, `${folder}/package.json`)?.scripts)?.[script]) ?? [],
  );
  return scripts.length > 0 && scripts.every(isUsable) ? everywhere(script) : null;
}

/** Folders of the packages, for plain patterns only: `packages/*`, `apps/web`. */
function packagesOf(files: ProjectFiles): string[] {
  const { workspaces } = readObject(files, "package.json") ?? {};
  const listed = asObject(workspaces)?.packages ?? workspaces ?? pnpmPackages(files.read("pnpm-workspace.yaml") ?? "");
  const patterns: readonly unknown[] = Array.isArray(listed) ? listed : [];
  return patterns
    .filter((pattern) => typeof pattern === "string")
    .map((pattern) => pattern.replace(/^\.\//, "").replace(/\/+$/, ""))
    .filter((pattern) => !pattern.startsWith("!") && !pattern.split("/").includes(".."))
    .flatMap((pattern) => {
      if (!pattern.includes("*")) return [pattern];
      const parent = /^([^*]+)\/\*{1,2}$/.exec(pattern)?.[1];
      if (parent === undefined) return [];
      return files.list(parent).flatMap(({ name, kind }) => (kind === "folder" ? [`${parent}/${name}`] : []));
    })
    .slice(0, MOST_PACKAGES);
}

/** The string entries below the unindented key `packages`. */
function pnpmPackages(yaml: string): string[] {
  const block = /^packages:[ \t]*\n((?:[ \t]*(?:-.*|#.*)?\n?)*)/m.exec(yaml.replaceAll("\r", ""))?.[1] ?? "";
  return [...block.matchAll(/^[ \t]*-[ \t]*["']?([^"'#\n]+?)["']?[ \t]*(?:#.*)?$/gm)].map(([, entry = ""]) => entry);
}
