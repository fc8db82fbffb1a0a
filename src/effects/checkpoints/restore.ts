/** Gives the files of a checkpoint back. What is in the way and in no checkpoint is set aside, never overwritten. */
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  rmdirSync,
  rmSync,
  type Stats,
  symlinkSync,
  unlinkSync,
} from "node:fs";
import { dirname } from "node:path";
import type { FileState } from "../../core/checkpoints/take-back.ts";
import { codeOf, reasonOf } from "../../core/system-error.ts";
import { renameOver } from "../files/atomic-write.ts";
import { SHARED_FILE } from "../files/private.ts";
import { readRegularItself, writeNewFile } from "../files/regular-file.ts";
import { renamePatiently } from "../files/rename.ts";
import { type ObjectFormat, objectId } from "../git/loose-objects.ts";
import { encodePath } from "../git/names.ts";
import { isTreePath } from "../git/tree-bytes.ts";
import type { TreeFile } from "../git/trees.ts";
import type { RestoredFiles } from "../ports.ts";
import { EXECUTABLE, LINK, SUBMODULE } from "../snapshot/folder-state.ts";
import type { CheckpointReader } from "./read-checkpoints.ts";

const EXECUTE = 0o111;
const READ = 0o444;
/** More names than this are tried only if something makes folders as fast as ralph looks. */
const MOST_FOLDERS = 1000;

/** What shall become of a path. */
export type FileChange = {
  path: string;
  /** The id of what the checkpoint of now has there; null for nothing. Whatever else stands there is set aside. */
  kept: string | null;
  /** Null to delete it. */
  file: FileState;
};

export type Ground = {
  /** The project's folder, absolute. */
  project: string;
  format: ObjectFormat;
  /** A folder that is made for what stands in the way: under another name, if something is there. */
  aside: string;
};

/**
 * What lies between two checkpoints, as changes; submodules are named, not changed, unless one is empty now and its files were known then;
 * what was ignored then stays.
 * @throws Error if one cannot be read
 */
export async function changesTo(
  reader: CheckpointReader,
  from: string,
  to: string,
): Promise<{ changes: FileChange[]; submodules: string[] }> {
  const differing = await reader.differences(from, to, "");
  const isEmptied = (path: string) =>
    [...differing].some(([file, { now }]) => now !== null && file.startsWith(`${path}/`));
  const submodules: string[] = [];
  for (const [path, { old, now }] of differing) {
    if (!isSubmodule(old) && !isSubmodule(now)) continue;
    if (now === null && isEmptied(path)) differing.delete(path);
    else submodules.push(path);
  }
  const wasIgnored = await reader.ignored(to);
  const changes: FileChange[] = [];
  for (const [path, { old, now }] of differing) {
    if (submodules.some((one) => path === one || path.startsWith(`${one}/`))) continue;
    if (now === null && (await wasIgnored(path))) continue;
    changes.push({ path, kept: old?.oid ?? null, file: now === null ? null : await fileOf(reader, now) });
  }
  return { changes, submodules };
}

/** @throws Error if its content cannot be read */
export async function fileOf(
  reader: Pick<CheckpointReader, "content">,
  file: TreeFile,
): Promise<NonNullable<FileState>> {
  const { bytes } = await reader.content(file);
  return { mode: Number.parseInt(file.mode, 8), bytes: bytes ?? new Uint8Array() };
}

/** Makes the changes. Branch and index stay. */
export function applyChanges(ground: Ground, changes: readonly FileChange[]): RestoredFiles {
  const result: RestoredFiles = { written: 0, deleted: 0, set_aside: [], left: [] };
  const setAside = createAside(ground, (path) => result.set_aside.push(path.toWellFormed()));
  const each = (path: string, act: () => void): boolean => {
    try {
      if (!isTreePath(path)) throw new Error("no name for a file of a project");
      act();
      return true;
    } catch (error) {
      result.left.push(`${path.toWellFormed()} (${reasonOf(error)})`);
      return false;
    }
  };
  // Deletions first: a file may take the place of a folder, or differ from another in upper and lower case only.
  for (const { path, file, kept } of changes)
    if (file === null && each(path, () => remove(ground, path, kept, setAside))) result.deleted += 1;
  for (const { path, file, kept } of changes)
    if (file !== null && each(path, () => write(ground, { path, file, kept }, setAside))) result.written += 1;
  return result;
}

export function isSubmodule(file: TreeFile | null): boolean {
  return file?.mode === SUBMODULE.toString(8);
}

/** Not by `join`, which loses what is no UTF-8 in a name. */
function at(folder: string, path: string): string | Buffer {
  return encodePath(`${folder}/${path}`);
}

function looked(folder: string, path: string): Stats | null {
  return lstatSync(at(folder, path), { throwIfNoEntry: false }) ?? null;
}

type SetAside = (path: string) => void;

/** Moves what stands at a path out of the way, into a folder that is new: whatever stood there before could lead elsewhere. */
function createAside({ project, aside }: Ground, told: (path: string) => void): SetAside {
  let folder: string | null = null;
  return (path) => {
    folder ??= newFolder(aside);
    mkdirSync(at(folder, dirname(path)), { recursive: true });
    renamePatiently(at(project, path), at(folder, path));
    told(path);
  };
}

function newFolder(wanted: string): string {
  for (let number = 1; ; number += 1) {
    const folder = number === 1 ? wanted : `${wanted}-${number}`;
    try {
      mkdirSync(folder);
      return folder;
    } catch (error) {
      if (codeOf(error) !== "EEXIST" || number === MOST_FOLDERS) throw error;
    }
  }
}

/** Whether what stands at a path is what the checkpoint of now has: only then it can be given back. */
function isKept({ project, format }: Ground, path: string, stat: Stats, kept: string | null): boolean {
  if (kept === null || !(stat.isFile() || stat.isSymbolicLink())) return false;
  const place = at(project, path);
  try {
    const bytes = stat.isFile() ? readRegularItself(place) : readlinkSync(place, { encoding: "buffer" });
    return objectId("blob", bytes, format) === kept;
  } catch {
    return false; // unreadable, or too large by now: it is set aside
  }
}

function remove(ground: Ground, path: string, kept: string | null, setAside: SetAside): void {
  const { project } = ground;
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder))
    if (looked(project, folder)?.isDirectory() === false) throw new Error("its folder is none any more");
  const stat = looked(project, path);
  if (stat === null || stat.isDirectory()) return;
  if (isKept(ground, path, stat, kept)) unlinkSync(at(project, path));
  else setAside(path);
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    try {
      rmdirSync(at(project, folder));
    } catch {
      return; // not empty
    }
  }
}

function write(
  ground: Ground,
  { path, file, kept }: { path: string; file: NonNullable<FileState>; kept: string | null },
  setAside: SetAside,
): void {
  const { project } = ground;
  const parts = path.split("/");
  for (let depth = 1; depth < parts.length; depth += 1) {
    const folder = parts.slice(0, depth).join("/");
    const stat = looked(project, folder);
    if (stat?.isDirectory() === true) continue;
    // Nothing is written through a link.
    if (stat !== null) setAside(folder);
    mkdirSync(at(project, folder));
  }
  const stat = looked(project, path);
  const isReplaced = stat !== null && isKept(ground, path, stat, kept);
  if (stat !== null && !isReplaced) setAside(path);
  const slash = path.lastIndexOf("/") + 1;
  // Under another name first, so that nobody sees a part of it; a short one, as names have a limit.
  const temporary = at(project, `${path.slice(0, slash)}.undo-${randomUUID().slice(0, 8)}`);
  try {
    if (file.mode === LINK) symlinkSync(Buffer.from(file.bytes), temporary);
    else writeFile(temporary, file, isReplaced && stat.isFile() ? stat.mode : null);
    renameOver(temporary, at(project, path));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** @param like the mode of the file that it replaces: git keeps no more of it than whether it can be run */
function writeFile(path: string | Buffer, { mode, bytes }: NonNullable<FileState>, like: number | null): void {
  const rights = (like ?? SHARED_FILE) & ~EXECUTE & 0o777;
  const wanted = mode === EXECUTABLE ? rights | ((rights & READ) >> 2) : rights;
  writeNewFile(path, bytes, wanted);
  // The umask has no say about rights that the file had.
  if (like !== null) chmodSync(path, wanted);
}
