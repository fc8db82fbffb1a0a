import { closeSync, existsSync, lstatSync, mkdirSync, readSync, writeFileSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { isWithin, type KindOf, type SandboxPlace } from "../../core/sandbox/policy.ts";
import type { Host, SandboxNeeds } from "../../driver.ts";
import { realPath } from "../files/path-kind.ts";
import { openRegular } from "../files/regular-file.ts";
import { obeyedPaths } from "../git/obeyed.ts";
import { discoverRepository } from "../git/repository.ts";
import type { ProjectPaths } from "../project/project-paths.ts";

/** What of a place is the same in all calls of a run. */
export type Grounds = Omit<SandboxPlace, "needs" | "fixed" | "programs" | keyof Room> & { path: string };
/** What is new in each of them. */
export type Room = Pick<SandboxPlace, "room" | "names" | "own">;

/**
 * Where the agents of a run work.
 * @throws RalphError `environment` if the project holds the home folder: it could not be hidden
 */
export function sandboxGrounds({ project, ralph, plan, agent }: ProjectPaths, host: Host): Grounds {
  const home = realPath(host.home) ?? host.home;
  if (isWithin(home, project))
    throw new RalphError("environment", `${project} holds your home folder, which a sandbox hides.`, {
      hint: "Work in a folder below it, or run without --sandbox.",
    });
  const repository = discoverRepository(project);
  if (repository !== null) giveGround(repository.commonDir);
  const reach = [project, ...(repository === null ? [] : [repository.gitDir, repository.commonDir])];
  const isInReach = (path: string) => reach.some((folder) => path !== folder && isWithin(path, folder));
  const work = [plan, agent, join(ralph, "specs"), join(ralph, "docs")];
  return {
    project,
    home,
    repository: repository && { gitDir: repository.gitDir, commonDir: repository.commonDir },
    obeyed: repository === null ? [] : obeyedPaths(repository, host.env).filter(isInReach),
    work: work.filter((path) => path !== null),
    path: host.env.PATH ?? "",
  };
}

/** A mount needs something to stand on, and what is new where none stands is set aside, though somebody outside made it. */
function giveGround(gitFolder: string): void {
  for (const name of ["hooks", "info", "modules"]) mkdirSync(join(gitFolder, name), { recursive: true });
  const config = join(gitFolder, "config");
  if (lstatSync(config, { throwIfNoEntry: false }) === undefined) writeFileSync(config, "", { flag: "wx" });
}

/** What an agent of which nothing is known needs. */
export const NO_NEEDS: SandboxNeeds = { domains: [], state: [], fixed: [], env: [] };

/**
 * What is there; a link counts as nothing, since it may lead anywhere. Folders above a path may be links only outside the
 * project: inside, the agent of an earlier call may have made them.
 */
export const kindOf: KindOf = (path) => {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || realPath(path) !== path) return null;
  return stat.isDirectory() ? "folder" : stat.isFile() ? "file" : null;
};

/** Whether a folder holds what is hidden, or the project's neighbours. */
function isWide({ home, project }: Grounds, folder: string): boolean {
  return isWithin(home, folder) || isWithin(project, folder);
}

/** The path by which a program is started inside: a link in a folder that is not shown is not there. @param program absolute */
export function programInside(grounds: Grounds, program: string): string {
  return isWide(grounds, dirname(program)) ? (realPath(program) ?? program) : program;
}

/**
 * Folders that an agent's program needs: those of the PATH with the libraries beside them, and where the program really lies; of a
 * folder that would show too much, the program alone.
 * @param program absolute
 */
export function programFolders(grounds: Grounds, program: string | null): string[] {
  const { path, project } = grounds;
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder) && existsSync(folder));
  const found = folders.flatMap((folder) => {
    const above = dirname(folder);
    // An installation as of nvm: bin, and lib beside it.
    return existsSync(join(above, "lib")) && !above.endsWith("/.local") && !isWide(grounds, above) ? [above] : [folder];
  });
  const really = program === null ? null : realPath(program);
  const own = really === null ? [] : [ownPlace(grounds, really), ...interpreterOf(really)];
  return [...found, ...own]
    .flatMap((folder) => [folder, realPath(folder) ?? folder])
    .filter((folder) => !isWide(grounds, folder) && !isWithin(folder, project));
}

function ownPlace(grounds: Grounds, file: string): string {
  const folder = packageOf(file);
  return isWide(grounds, folder) ? file : folder;
}

/** The outermost `node_modules` that a file lies in, else its folder. */
function packageOf(file: string): string {
  const at = file.indexOf("/node_modules/");
  return at < 0 ? dirname(file) : file.slice(0, at + "/node_modules".length);
}

/** The folder of the program that the first line of a script names. */
function interpreterOf(file: string): string[] {
  const first = /^#! *(\/\S+)/.exec(headOf(file))?.[1];
  const found = first === undefined ? null : realPath(first);
  return found === null ? [] : [dirname(found)];
}

function headOf(file: string): string {
  const bytes = Buffer.alloc(256);
  let fd: number;
  try {
    fd = openRegular(file, "read");
  } catch {
    return ""; // a program may be there to be run only, and a script may not
  }
  try {
    return bytes.toString("latin1", 0, readSync(fd, bytes));
  } finally {
    closeSync(fd);
  }
}
