import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import { isRalphProject } from "../../effects/project/project-paths.ts";
import { homeFolder } from "../../effects/user/home.ts";
import { folderNameFrom } from "../../setup/folder-name.ts";
import type { CommandContext } from "../context.ts";
import type { ImportArgs } from "../definitions/import.ts";
import { shellWord } from "../setup/next-command.ts";
import { requireFolderName } from "../setup/setup-flags.ts";
import { safeStat } from "./safe-stat.ts";

type Context = Pick<CommandContext<ImportArgs>, "args" | "projectDir" | "env">;

/** The folder that an import is for. */
export type Target = {
  /** The folder that `name` is below. */
  from: string;
  /** Of a folder to be made, or null for `from` itself. */
  name: string | null;
  /** Nobody named it and there is no project: a person may say otherwise. */
  isOpen: boolean;
};

/**
 * The folder that is meant (product.md "Commands"): the one named; this project, or the one around this folder; else a new
 * one after the file. A folder of planning documents is part of what it plans: the project around it, or this folder.
 * @throws RalphError `usage` for a name that cannot be a folder's
 */
export function resolveTarget({ args, projectDir, env }: Context): Target {
  const at = (from: string, name: string | null = null): Target => ({ from, name, isOpen: false });
  if (args.folder !== undefined) return at(projectDir, requireFolderName(args.folder));
  if (isRalphProject(projectDir)) return at(projectDir);
  const home = canonical(homeFolder(env));
  const around = projectAround(projectDir, home);
  if (around !== null) return at(around);
  if (args.source === undefined) return at(projectDir);
  const path = resolve(projectDir, args.source);
  const stat = safeStat(path, { follows: true });
  if (stat?.isDirectory() === true) {
    const project = projectAround(path, home);
    if (project !== null) return at(project);
    if (`${path}${sep}`.startsWith(`${projectDir}${sep}`)) return at(projectDir);
  }
  if (stat === undefined && /^(?:#?\d+$|https?:)|#\d+$/.test(args.source)) return at(projectDir);
  return { from: projectDir, name: folderNameFrom(basename(path, extname(path))), isOpen: true };
}

/** A folder as it is shown: relative to where ralph was started, `.` for that one. */
export function shownFolder(projectDir: string, dir: string): string {
  const path = relative(projectDir, dir);
  if (path === "") return ".";
  return path.startsWith("..") ? path : `.${sep}${path}`;
}

/** What stands before a command that is to be typed in another folder; nothing for this one. */
export function enteringFolder(projectDir: string, dir: string): string {
  const path = relative(projectDir, dir);
  return path === "" ? "" : `cd ${shellWord(path)} && `;
}

function canonical(folder: string): string | null {
  return existsSync(folder) ? realpathSync(folder) : null;
}

/** The nearest Ralph project that a folder lies in, below the home folder; a folder there is its own. */
function projectAround(folder: string, home: string | null): string | null {
  for (let dir = folder; dir !== home && dirname(dir) !== dir; dir = dirname(dir))
    if (existsSync(join(dir, ".ralph", "PROMPT.md"))) return dir;
  return null;
}
