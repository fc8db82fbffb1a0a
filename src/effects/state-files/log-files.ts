import {
  appendFileSync,
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

/** Size at which `logs/ralph.log` is rotated, and how many old ones are kept (from the bash original). */
export const ROTATE_BYTES = 10 * 1024 * 1024;
const KEPT = 4;

/** Appends whole lines; a link of that name is replaced by a file first. */
export function appendLines(path: string, text: string): void {
  if (isLink(path)) rmSync(path, { force: true });
  appendFileSync(path, text);
}

/** Empties a log in place, so that who follows it by its descriptor (`tail -f`) goes on; a link is replaced by a file. */
export function emptyFile(path: string): void {
  if (isLink(path)) rmSync(path, { force: true });
  writeFileSync(path, "");
}

/** Moves a log that has grown to `limit` bytes out of the way: `x.log.1` is the newest old one, `x.log.4` the oldest. */
export function rotate(path: string, limit: number): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile() || stat.size < limit) return;
  for (let n = KEPT; n > 1; n -= 1) moveIfThere(`${path}.${n - 1}`, `${path}.${n}`);
  moveIfThere(path, `${path}.1`);
}

/** Makes sure that `logs` is a folder of this project: a link in its place would lead writes elsewhere, and is replaced. */
export function ensureFolder(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return;
  if (stat?.isSymbolicLink()) rmSync(path, { force: true });
  // Not recursive: if `.ralph` itself is gone, that is for the loop to see and not for a log to mend.
  mkdirSync(path);
}

/**
 * Gives a file a second name in `folder`, by a hard link, or a copy where the file system has none. Names that are taken
 * are passed over.
 * @param nameOf the name to try at the nth time
 * @param from the first nth, where it is known that those before are taken
 * @returns the name and its nth, or null if there is no such file
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
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}
