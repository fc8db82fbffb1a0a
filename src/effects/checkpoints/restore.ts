/** Gives the files of a checkpoint back. What is in the way and in no checkpoint is set aside, never overwritten. */

import { randomUUID } from "node:crypto";
import { lstatSync, mkdirSync, renameSync, rmdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FileState } from "../../core/checkpoints/take-back.ts";
import { reasonOf } from "../../core/system-error.ts";
import { renameOver } from "../files/atomic-write.ts";
import { SHARED_FILE } from "../files/private.ts";
import { encodePath } from "../git/names.ts";
import type { TreeFile, TreeReader } from "../git/trees.ts";
import type { RestoredFiles } from "../ports.ts";
import { EXECUTABLE, LINK, SUBMODULE } from "../snapshot/folder-state.ts";

const SHARED_PROGRAM = 0o777;

/** What shall become of a path. */
export type FileChange = {
  path: string;
  /** Whether what stands there now is in the checkpoint of now. */
  isKept: boolean;
  /** Null to delete it. */
  file: FileState;
};

/** What lies between two checkpoints, as changes; submodules are named, not changed. @throws Error if one cannot be read */
export async function changesTo(
  reader: TreeReader,
  from: string,
  to: string,
): Promise<{ changes: FileChange[]; submodules: string[] }> {
  const changes: FileChange[] = [];
  const submodules: string[] = [];
  for (const [path, { old, now }] of await reader.differences(from, to, "")) {
    if (isSubmodule(old) || isSubmodule(now)) submodules.push(path);
    else changes.push({ path, isKept: old !== null, file: now === null ? null : await fileOf(reader, now) });
  }
  return { changes, submodules };
}

/** @throws Error if its content cannot be read */
export async function fileOf(reader: TreeReader, file: TreeFile): Promise<NonNullable<FileState>> {
  const { bytes } = await reader.content(file);
  return { mode: Number.parseInt(file.mode, 8), bytes: bytes ?? new Uint8Array() };
}

/**
 * Makes the changes. Branch, index and ignored files stay.
 * @param project absolute
 * @param aside folder for what stands in the way and is in no checkpoint: ignored, or too large for one
 */
export function applyChanges(project: string, changes: readonly FileChange[], aside: string): RestoredFiles {
  const result: RestoredFiles = { written: 0, deleted: 0, set_aside: [], left: [] };
  const each = (path: string, act: () => void): boolean => {
    try {
      act();
      return true;
    } catch (error) {
      result.left.push(`${path.toWellFormed()} (${reasonOf(error)})`);
      return false;
    }
  };
  const safe = changes.filter(({ path }) => isSafe(path) || each(path, refuse));
  // Deletions first: a file may take the place of a folder, or differ from another in upper and lower case only.
  for (const { path, file } of safe) if (file === null && each(path, () => remove(project, path))) result.deleted += 1;
  for (const { path, file, isKept } of safe) {
    if (file === null) continue;
    const isDone = each(path, () => {
      result.set_aside.push(...prepare(project, path, isKept, aside));
      write(at(project, path), file);
    });
    if (isDone) result.written += 1;
  }
  return result;
}

/** A tree that others wrote may name anything. */
function isSafe(path: string): boolean {
  return path
    .split(process.platform === "win32" ? /[/\\:]/ : "/")
    .every((name) => name !== "" && !/^(?:\.{1,2}|\.git)$/i.test(name));
}

function refuse(): never {
  throw new Error("no name for a file of a project");
}

export function isSubmodule(file: TreeFile | null): boolean {
  return file?.mode === SUBMODULE.toString(8);
}

function at(project: string, path: string): string | Buffer {
  return encodePath(join(project, path));
}

function remove(project: string, path: string): void {
  unlinkSync(at(project, path));
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    try {
      rmdirSync(at(project, folder));
    } catch {
      return; // not empty
    }
  }
}

/**
 * Makes the folders above a file.
 * @param isKnown whether what stands there now is in the checkpoint of now
 * @returns what stood in the way and was set aside
 */
function prepare(project: string, path: string, isKnown: boolean, aside: string): string[] {
  const moved: string[] = [];
  const setAside = (name: string) => {
    const target = join(aside, name);
    mkdirSync(encodePath(dirname(target)), { recursive: true });
    renameSync(at(project, name), encodePath(target));
    moved.push(name.toWellFormed());
  };
  const parts = path.split("/");
  for (let depth = 1; depth < parts.length; depth += 1) {
    const folder = parts.slice(0, depth).join("/");
    const stat = lstatSync(at(project, folder), { throwIfNoEntry: false });
    if (stat?.isDirectory() === true) continue;
    // Nothing is written through a link.
    if (stat !== undefined) setAside(folder);
    mkdirSync(at(project, folder));
  }
  const stat = lstatSync(at(project, path), { throwIfNoEntry: false });
  if (stat !== undefined && (!isKnown || stat.isDirectory())) setAside(path);
  return moved;
}

/** Under another name first, so that nobody sees a part of it. */
function write(path: string | Buffer, { mode, bytes }: NonNullable<FileState>): void {
  const suffix = `.${randomUUID().slice(0, 8)}.undo`;
  const temporary = typeof path === "string" ? path + suffix : Buffer.concat([path, Buffer.from(suffix)]);
  try {
    if (mode === LINK) symlinkSync(Buffer.from(bytes), temporary);
    else writeFileSync(temporary, bytes, { flag: "wx", mode: mode === EXECUTABLE ? SHARED_PROGRAM : SHARED_FILE });
    renameOver(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
