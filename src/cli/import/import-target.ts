import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, extname, join, relative, resolve, sep } from "node:path";
import { isRalphProject } from "../../effects/project/project-paths.ts";
import { homeFolder } from "../../effects/user/home.ts";
import { folderNameFromFile } from "../../setup/folder-name.ts";
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
  /** The folder to make, or null for `from` itself. */
  name: string | null;
  /** No folder was named and there is no project: the user may choose another place. */
  isOpen: boolean;
};

/**
 * The folder to import into (product.md "Commands"): the named one; else this project or the one around this folder;
 * else a new folder named after the file. A folder of planning documents belongs to the project around it, or to this
 * folder.
 * @throws RalphError `usage` for a name that a folder cannot have
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
  return { from: projectDir, name: folderNameFromFile(basename(path, extname(path))), isOpen: true };
}

/** A folder as shown to the user: relative to the folder that ralph was started in, which is `.`. */
export function shownFolder(projectDir: string, dir: string): string {
  const path = relative(projectDir, dir);
  if (path === "") return ".";
  return path.startsWith("..") ? path : `.${sep}${path}`;
}

/** The prefix of a command to be typed in another folder; empty for this one. */
export function enteringFolder(projectDir: string, dir: string): string {
  const path = relative(projectDir, dir);
  return path === "" ? "" : `cd ${shellWord(path)} && `;
}

function canonical(folder: string): string | null {
  return existsSync(folder) ? realpathSync(folder) : null;
}

/** The nearest Ralph project around a folder, below the home folder. The home folder's own project does not count. */
function projectAround(folder: string, home: string | null): string | null {
  for (let dir = folder; dir !== home && dirname(dir) !== dir; dir = dirname(dir))
    if (existsSync(join(dir, ".ralph", "PROMPT.md"))) return dir;
  return null;
}
