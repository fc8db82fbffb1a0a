/** What a person wrote for ralph comes along into a new worktree as it is now, whether git tracks it, ignores it or has an older one. */
import { existsSync, lstatSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import runTime from "../../../templates/gitignore.txt" with { type: "text" };
import type { EnvVars } from "../../core/env-vars.ts";
import { containsPath } from "../files/contains-path.ts";
import { createGit, gitError } from "../git/git-program.ts";
import { RALPH_DIR } from "../project/project-paths.ts";
import { patternsOf, rulesOf } from "../snapshot/rules.ts";
import { copyEntry } from "./copy-entry.ts";

/** Files of the older layouts, beside the code. */
export const BESIDE = /^(?:PROMPT(?:-[^/\\]+)?\.md|@?fix_plan\.md|@AGENT\.md|\.ralphrc)$/;

export type BringAlong = {
  /** The project that it comes from. */
  project: string;
  /** Of the checkout that it goes to. */
  root: string;
  prefix: string;
  /** More files, from the project. */
  files: readonly string[];
  /** That of `createGit`. */
  stop: AbortSignal;
};

/**
 * Copies prompts, plan, settings, agent file, specs and whatever else lies in `.ralph`, but not what ralph writes at run time.
 * @returns what no commit has of it: paths from the root, with forward slashes
 * @throws the file system's error, RalphError `environment` if git fails
 */
export async function bringAlong({ project, root, prefix, files, stop }: BringAlong, env: EnvVars): Promise<string[]> {
  const there = join(root, prefix);
  const ralph = join(project, RALPH_DIR);
  const own = ownFiles(ralph);
  // One that a commit has is the person's, like what it names; any other ralph makes anew.
  const ignores = existsSync(join(there, RALPH_DIR, ".gitignore")) ? [`${RALPH_DIR}/.gitignore`] : [];
  // What the person deleted is not there either.
  if (own.length > 0) await rm(join(there, RALPH_DIR), { recursive: true, force: true });
  const beside = readdirSync(project).filter((name) => BESIDE.test(name));
  const named = files.map((file) => resolve(project, file)).filter((file) => containsPath(project, file));
  const paths = [
    ...(own.length > 0 ? ignores : []),
    ...own.map((path) => `${RALPH_DIR}/${path}`),
    ...beside,
    ...named.map((file) => relative(project, file)),
  ];
  for (const path of new Set(paths)) copyEntry({ from: project, to: there, path, replace: true });
  const args = ["status", "--porcelain", "-z", "--no-renames", "-uall", "--ignore-submodules=all"];
  const result = await createGit(root, env, stop).run(args);
  if (result.code !== 0) throw gitError(args, result);
  return result.stdout.split("\0").flatMap((line) => (line === "" ? [] : [line.slice("?? ".length)]));
}

/** Those of paths from the root that lie in the project at `prefix`, from there. */
export function belowPrefix(paths: readonly string[], prefix: string): string[] {
  const below = prefix === "" ? "" : `${prefix}/`;
  return paths.flatMap((path) => (path.startsWith(below) ? [path.slice(below.length)] : []));
}

/** What lies in a `.ralph` and ralph did not write there: paths below it, with forward slashes. A link in its place has nothing of its own. */
export function ownFiles(ralph: string): string[] {
  if (lstatSync(ralph, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  const rules = rulesOf(null, patternsOf(runTime, ""), true);
  const below = (folder: string): string[] =>
    readdirSync(join(ralph, folder), { withFileTypes: true }).flatMap((entry) => {
      const path = `${folder}${entry.name}`;
      if (rules.ignores(entry.isDirectory() ? `${path}/` : path)) return [];
      if (entry.isDirectory()) return below(`${path}/`);
      return entry.isFile() || entry.isSymbolicLink() ? [path] : [];
    });
  return below("");
}
