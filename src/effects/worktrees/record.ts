/**
 * What is known of a project's worktrees: a file for each, beside them and not in them, where an agent could commit or change it. It
 * is written before anything else is made and deleted last, so whatever a kill leaves has a name.
 */
import { existsSync, lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { RalphError } from "../../core/errors.ts";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { PRIVATE_FOLDER } from "../files/private.ts";
import { readJson } from "../files/read-json.ts";
import { isTreePath } from "../git/tree-bytes.ts";
import { checkRalphDir } from "../project/project-paths.ts";

/** The folder of a project's worktrees, below the project; each is a folder of its name in it. */
export const WORKTREES = join(".ralph", "worktrees");
const RECORDS = ".records";
const PAST = ".past";

const record = v.object({
  name: v.string(),
  /**
   * `making`: nobody has worked there, what there is of it may be made again. `made`: its files are there. `ready`: its set-up is
   * done. `removing`: what is left of it may go.
   */
  state: v.picklist(["making", "made", "ready", "removing"]),
  branch: v.string(),
  /** Whether ralph made the branch: only then it takes it away again. */
  own_branch: v.boolean(),
  /** Id of the commit that it began from. */
  base: v.string(),
  /** The branch that was checked out in the project then; null for none. */
  from: v.nullable(v.string()),
  /** The project's path below the root of its repository, with forward slashes; "" for the root itself. */
  prefix: v.pipe(
    v.string(),
    v.check((path) => path === "" || isTreePath(path)),
  ),
  port_base: v.number(),
  /** What came along from the project and no commit has: paths from the root, with forward slashes. */
  brought: v.array(v.string()),
  /** Ids of the tasks of its plan that were done when it was made, or whose ticks the project has had since. */
  ticked: v.optional(v.array(v.string())),
});

export type WorktreeRecord = v.InferOutput<typeof record>;

export const worktreesDir = (owner: string): string => join(owner, WORKTREES);
/** The checkout. */
export const rootOf = (owner: string, name: string): string => join(worktreesDir(owner), name);
/** A file of ralph's own about a worktree. */
export const recordFile = (owner: string, name: string, ending = "json"): string =>
  join(worktreesDir(owner), RECORDS, `${name}.${ending}`);

/** What is left of worktrees that were removed. */
export const pastDir = (owner: string): string => join(worktreesDir(owner), PAST);

/** A link or file in the place of a folder in which ralph keeps something of worktrees, as a clone may bring one; null for none. */
export function strayFolder(owner: string): string | null {
  const folders = [worktreesDir(owner), join(worktreesDir(owner), RECORDS), pastDir(owner)];
  const isStray = (folder: string) => lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === false;
  return folders.find(isStray) ?? null;
}

/** Null if there is none, or ralph did not write it. */
export function readRecord(owner: string, name: string): WorktreeRecord | null {
  const read = v.safeParse(record, readJson(recordFile(owner, name)));
  // Whoever makes a worktree of that name sees what stands there.
  return read.success && read.output.name === name ? read.output : null;
}

/** All of a project, by name. */
export function listRecords(owner: string): WorktreeRecord[] {
  const names = namesIn(join(worktreesDir(owner), RECORDS)).filter((name) => name.endsWith(".json"));
  return names.sort().flatMap((name) => readRecord(owner, name.slice(0, -".json".length)) ?? []);
}

function namesIn(folder: string): string[] {
  try {
    return existsSync(folder) ? readdirSync(folder) : [];
  } catch {
    return []; // no folder: whoever makes a worktree is told (mustHoldWorktrees)
  }
}

/** @throws the file system's error */
export function writeRecord(owner: string, written: WorktreeRecord): void {
  writeFileAtomic(recordFile(owner, written.name), `${JSON.stringify(written)}\n`);
}

/**
 * Makes the folder of the worktrees, which git must not see.
 * @throws the file system's error; RalphError `environment` if it would lie elsewhere
 */
export function prepareWorktrees(owner: string): void {
  mustHoldWorktrees(owner);
  mkdirSync(join(worktreesDir(owner), RECORDS), { recursive: true, mode: PRIVATE_FOLDER });
  const ignored = join(worktreesDir(owner), ".gitignore");
  if (!existsSync(ignored)) writeFileAtomic(ignored, "*\n");
}

/**
 * Worktrees find their project by their path, so no part of it may be a link.
 * @throws RalphError `environment` if one is
 */
export function mustHoldWorktrees(owner: string): void {
  const ralph = checkRalphDir(owner);
  const isLink = lstatSync(ralph, { throwIfNoEntry: false })?.isDirectory() === false;
  const stray = isLink ? ralph : strayFolder(owner);
  if (stray === null) return;
  throw new RalphError("environment", `${stray} is no folder of its own, and worktrees have to lie in it.`, {
    hint: "Move it away, or put a real folder in its place.",
  });
}

/** Deletes what is known of a worktree that is gone, and the folder of all once it is empty. */
export function forget(owner: string, name: string): void {
  rmSync(recordFile(owner, name), { force: true });
  rmSync(recordFile(owner, name, "setup.log"), { force: true });
}

/** Removes the folder of the worktrees if there are none. */
export function tidyWorktrees(owner: string): void {
  const folder = worktreesDir(owner);
  try {
    rmdirSync(join(folder, RECORDS));
    if (readdirSync(folder).some((name) => name !== ".gitignore")) return;
    rmSync(join(folder, ".gitignore"), { force: true });
    rmdirSync(folder);
  } catch {
    // Not empty: there are others, or they are being made just now.
  }
}

/**
 * Whether the files of a worktree are there; false if somebody deleted the folder.
 * @throws RalphError `environment` for files that git does not know any more: nobody may take them for rubbish
 */
export function isCheckout(root: string, name: string): boolean {
  if (existsSync(join(root, ".git"))) return true;
  if (!existsSync(root) || readdirSync(root).length === 0) return false;
  throw new RalphError("environment", `The worktree ${name} has files and no .git in ${root}.`, {
    hint: "Look at what is there, and move the folder away: then it is made anew on its branch.",
  });
}
