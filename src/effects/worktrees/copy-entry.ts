import {
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { containsPath } from "../files/contains-path.ts";

export type CopiedEntry = {
  from: string;
  to: string;
  /** From both. */
  path: string;
  /** Whether it takes the place of what stands there. */
  replace: boolean;
};

/**
 * Copies a file or a link to the same place below another folder; blocks are shared where the file system can, so that a large one costs
 * little and stays each one's own. A link that leads outside goes on leading to the same place.
 * @returns whether it was copied: not where something stands already, or a folder on the way leads elsewhere
 * @throws the file system's error
 */
export function copyEntry({ from, to, path, replace }: CopiedEntry): boolean {
  const source = join(from, path);
  const target = join(to, path);
  const stat = lstatSync(source, { throwIfNoEntry: false });
  if (stat === undefined || !(stat.isFile() || stat.isSymbolicLink())) return false;
  mkdirSync(dirname(target), { recursive: true });
  if (!containsPath(realpathSync(to), realpathSync(dirname(target)))) return false;
  const there = lstatSync(target, { throwIfNoEntry: false });
  if (there !== undefined && (!replace || there.isDirectory())) return false;
  if (there !== undefined) rmSync(target);
  if (stat.isSymbolicLink()) symlinkSync(linkText(source, from), target);
  else {
    copyFileSync(source, target, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL);
    chmodSync(target, stat.mode & 0o777);
  }
  return true;
}

function linkText(link: string, folder: string): string {
  const text = readlinkSync(link);
  const leadsTo = resolve(dirname(link), text);
  return !isAbsolute(text) && containsPath(folder, leadsTo) ? text : leadsTo;
}
