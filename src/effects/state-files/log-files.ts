import { closeSync, constants, copyFileSync, linkSync, lstatSync, mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { codeOf } from "../../core/system-error.ts";
import { makePrivate, makePrivateFolder, PRIVATE_FOLDER } from "../files/private.ts";
import { appendRegular, openRegular } from "../files/regular-file.ts";
import { renamePatiently } from "../files/rename.ts";

/** Size at which `logs/ralph.log` is rotated, and number of rotated logs kept (from the bash original). */
export const ROTATE_BYTES = 10 * 1024 * 1024;
const KEPT = 4;

/** Appends whole lines; first replaces a link with a file. */
export function appendLines(path: string, text: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isSymbolicLink() === true) rmSync(path, { force: true });
  else if (stat !== undefined) makePrivate(path, stat);
  appendRegular(path, text);
}

/**
 * Opens a log for appending, in a private folder. A link in the place of either is replaced: a clone may bring one that leads to a file
 * of its user's. @throws UnfitFile if something else stands there; else the file system's error
 */
export function openLog(path: string): number {
  const folder = dirname(path);
  dropLink(folder);
  makePrivateFolder(folder);
  if (!dropLink(path)) makePrivate(path);
  return openRegular(path, "append");
}

/** Empties a log in place, so programs that follow its descriptor (`tail -f`) keep working; replaces a link with a file. */
export function emptyFile(path: string): void {
  dropLink(path);
  closeSync(openRegular(path, "replace"));
}

/** Rotates a log of at least `limit` bytes: `x.log.1` is the newest old one, `x.log.4` the oldest. */
export function rotate(path: string, limit: number): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile() || stat.size < limit) return;
  for (let n = KEPT; n > 1; n -= 1) moveIfThere(`${path}.${n - 1}`, `${path}.${n}`);
  moveIfThere(path, `${path}.1`);
}

/** Ensures that `logs` is a folder in this project. Replaces a link, which would lead writes elsewhere. */
export function ensureFolder(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory()) {
    makePrivate(path, stat);
    return;
  }
  if (stat?.isSymbolicLink()) rmSync(path, { force: true });
  // Not recursive: if `.ralph` itself is gone, the loop must notice it; a log must not recreate it.
  mkdirSync(path, { mode: PRIVATE_FOLDER });
}

/**
 * Links a file into `folder` under a free name, or copies it where hard links do not exist.
 * @param nameOf the name for the nth attempt
 * @param from the first attempt, if the names before it are known to be taken
 * @returns the name and its number, or null if the file does not exist
 */
export function linkOrCopy(
  file: string,
  folder: string,
  nameOf: (nth: number) => string,
  from = 1,
): { name: string; nth: number } | null {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return null;
  for (let nth = from; ; nth += 1) {
    const name = nameOf(nth);
    const path = join(folder, name);
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      linkSync(file, path);
    } catch {
      copyFileSync(file, path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    }
    return { name, nth };
  }
}

function moveIfThere(from: string, to: string): void {
  try {
    renamePatiently(from, to);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

/** Removes a link, through which a write would change a file elsewhere: a clone may bring one. @returns whether there was one */
export function dropLink(path: string): boolean {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (isLink) rmSync(path, { force: true });
  return isLink;
}
