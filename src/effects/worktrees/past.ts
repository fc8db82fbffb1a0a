/** What is left of worktrees that were removed: their journals, and their checkpoints in the repository. */
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { isRecord } from "../../core/json-value.ts";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { PRIVATE_FOLDER } from "../files/private.ts";
import { readJson } from "../files/read-json.ts";
import { renamePatiently } from "../files/rename.ts";
import { listRuns } from "../journal/journal-read.ts";
import { pastDir, strayFolder } from "./record.ts";

const REFS_FILE = "checkpoints.json";

/** A worktree may be made and removed again under its name: each time is a folder, named after its last run. */
export type PastWorktree = { folder: string; runs: string[]; refs: string[] };

/**
 * Keeps the journals, and the names of the checkpoints.
 * @param runs the folder of its journals
 * @param refs where its checkpoints begin, each ending in "/"
 * @param last its last run
 * @throws the file system's error
 */
export function keepPast(
  owner: string,
  name: string,
  { runs, refs, last }: { runs: string; refs: readonly string[]; last: string },
): void {
  const folder = join(pastOf(owner, name), last);
  mkdirSync(pastOf(owner, name), { recursive: true, mode: PRIVATE_FOLDER });
  renamePatiently(runs, folder);
  writeFileAtomic(join(folder, REFS_FILE), `${JSON.stringify({ refs })}\n`);
}

/** Where what is left of the worktrees of one name lies. */
export function pastOf(owner: string, name: string): string {
  return join(pastDir(owner), name);
}

/** Where the journals of the removed worktrees of one name lie, the newest first, a folder of runs each. */
export function pastRunsOf(owner: string, name: string): string[] {
  return foldersIn(pastOf(owner, name)).sort((a, b) => (stampOf(basename(a)) < stampOf(basename(b)) ? 1 : -1));
}

/** Whether any journal of that name was kept. */
export function hasPastRuns(owner: string, name: string): boolean {
  return pastRunsOf(owner, name).some((folder) => listRuns(folder).length > 0);
}

/** Where the journals of a project's removed worktrees lie, a folder of runs each. */
export function pastRunFolders(owner: string): string[] {
  return listPast(owner).map(({ folder }) => folder);
}

/** All of a project that are not forgotten yet. Through a link they would be others' folders. */
function listPast(owner: string): PastWorktree[] {
  if (strayFolder(owner) !== null) return [];
  return foldersIn(pastDir(owner)).flatMap((name) =>
    foldersIn(name).map((folder) => ({ folder, runs: listRuns(folder), refs: refsIn(folder) })),
  );
}

/**
 * Those that were worked in before a run of the project began, and not since.
 * @param run null: none is older
 */
export function pastBefore(owner: string, run: string | null): PastWorktree[] {
  if (run === null) return [];
  return listPast(owner).filter(({ folder }) => stampOf(basename(folder)) < stampOf(run));
}

/** When a run began, as its name `0001-20261123-101112` says it; the oldest for what is no run. */
function stampOf(run: string): string {
  return /^\d+-(\d{8}-\d{6})/.exec(run)?.[1] ?? "";
}

/** Forgets one, with its journals. @throws the file system's error */
export function dropPast({ folder }: PastWorktree): void {
  rmSync(folder, { recursive: true, force: true });
}

function foldersIn(dir: string): string[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [join(dir, entry.name)] : [],
  );
}

function refsIn(folder: string): string[] {
  const read = readJson(join(folder, REFS_FILE));
  // A kill may have ended the removal before it was written.
  const refs = isRecord(read) && Array.isArray(read.refs) ? read.refs : [];
  // Nothing else may ever be deleted by what stands in a file: no folder above, nor all of them.
  return refs.filter((ref): ref is string => typeof ref === "string" && /^refs\/ralph\/\w[\w.-]*\/$/.test(ref));
}
