import {
  chmodSync,
  constants,
  copyFileSync,
  type Dirent,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import process from "node:process";
import { setImmediate as pause } from "node:timers/promises";
import { codeOf } from "../../core/system-error.ts";
import { containsPath } from "../files/contains-path.ts";
import { createScratchFolder } from "../files/scratch-folder.ts";
import type { TreeCopy } from "../ports.ts";
import { EXECUTABLE, LINK, SUBMODULE } from "../snapshot/folder-state.ts";
import { lstatOrNull } from "../snapshot/listing.ts";
import { RALPH_DIR } from "./project-paths.ts";

/** So many files are copied before signals and commands get a turn. */
const BATCH = 200;

/**
 * Copies a project's tree into the system's temporary folder, cheaply where the file system shares blocks. Everything that is
 * not among `files` is linked instead: dependencies, build results, local settings. `.git` is left out, because a gate that
 * writes to a linked one would change the real repository; `.ralph` is none of a gate's business.
 * @param files paths that count, with mode and content
 * @param changes contents of files that differ in the copy; null leaves a file out
 * @throws the file system's error, after removing the copy
 */
export async function copyTree(
  project: string,
  files: ReadonlyMap<string, string>,
  changes: ReadonlyMap<string, Uint8Array | null>,
): Promise<TreeCopy> {
  const scratch = createScratchFolder("ralph-gate-");
  const dir = scratch.path("project");
  const folders = new Set<string>([""]);
  const folderFor = (path: string): void => {
    for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1)) folders.add(path.slice(0, at));
    mkdirSync(dirname(join(dir, path)), { recursive: true });
  };
  try {
    mkdirSync(dir);
    for (const [path, content] of changes) if (content !== null) folderFor(path);
    let copied = 0;
    for (const [path, id] of files) {
      // A link in place of a folder of theirs would lead what is laid over the copy out of it.
      if (changes.has(path) || folders.has(path) || liesBelow(changes, path)) continue;
      folderFor(path);
      copyEntry(project, dir, path, Number.parseInt(id, 8));
      copied += 1;
      if (copied % BATCH === 0) await pause();
    }
    for (const [path, content] of changes) {
      if (content === null) continue;
      writeFileSync(join(dir, path), content);
      if (isProgram(files.get(path), join(project, path))) chmodSync(join(dir, path), 0o755);
    }
    for (const folder of folders)
      if (folder !== RALPH_DIR && !folder.startsWith(`${RALPH_DIR}/`))
        linkRest(project, dir, folder, (path) => files.has(path) || changes.has(path), folders);
  } catch (error) {
    scratch.remove();
    throw error;
  }
  return { dir, remove: scratch.remove };
}

/** @param id of a file that the tree shows; without it the disk tells */
function isProgram(id: string | undefined, path: string): boolean {
  if (id !== undefined) return Number.parseInt(id, 8) === EXECUTABLE;
  return ((lstatOrNull(path)?.mode ?? 0) & 0o100) !== 0;
}

/** Whether a file is laid over the copy where the project has a folder around this path. */
function liesBelow(changes: ReadonlyMap<string, Uint8Array | null>, path: string): boolean {
  for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1))
    if (changes.get(path.slice(0, at)) != null) return true;
  return false;
}

function copyEntry(project: string, dir: string, path: string, mode: number): void {
  const [from, to] = [join(project, path), join(dir, path)];
  try {
    if (mode === SUBMODULE) link(from, to, true);
    else if (mode === LINK) symlinkSync(targetIn(project, dir, readlinkSync(from)), to);
    else copyFileSync(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    // Deleted since the tree was looked at: then the copy has none either.
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

/** Links what stands in a copied folder of the project but was not copied. */
function linkRest(
  project: string,
  dir: string,
  folder: string,
  isCopied: (path: string) => boolean,
  folders: ReadonlySet<string>,
): void {
  for (const entry of entriesOf(join(project, folder))) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (isCopied(path) || folders.has(path) || entry.name === ".git" || path === RALPH_DIR) continue;
    link(join(project, path), join(dir, path), entry.isDirectory());
  }
}

/** An absolute link into the project leads into the copy: what is laid over that counts. */
function targetIn(project: string, dir: string, target: string): string {
  return isAbsolute(target) && containsPath(project, target) ? join(dir, relative(project, target)) : target;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // only in the copy: a deleted folder of frozen files
  }
}

/** Windows lets anyone link folders (junctions), but files only with a privilege: those are copied. */
function link(from: string, to: string, isFolder: boolean): void {
  if (process.platform !== "win32") symlinkSync(from, to);
  else if (isFolder) symlinkSync(from, to, "junction");
  else copyFileSync(from, to, constants.COPYFILE_FICLONE);
}
