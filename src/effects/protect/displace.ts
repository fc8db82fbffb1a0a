import { existsSync, lstatSync, mkdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { SHARED_FILE } from "../files/private.ts";
import { renamePatiently } from "../files/rename.ts";
import { statThere } from "../files/stat-there.ts";

/**
 * Replaces one of the project's files atomically; moves a folder in its place aside.
 * @throws the file system's error
 */
export function forceWriteFile(path: string, content: string | Uint8Array, mode = SHARED_FILE): void {
  if (statThere(path, lstatSync)?.isDirectory() === true) moveAside(path);
  writeFileAtomic(path, content, mode);
}

/**
 * Creates a folder and its parents. Moves a file or a broken link in the way aside.
 * @param mode permissions of the folder itself, less what the umask takes
 * @throws the file system's error
 */
export function forceMkdir(path: string, mode = 0o777): void {
  if (statThere(path)?.isDirectory() === true) return;
  const above = dirname(path);
  // A missing drive has no parent.
  if (above !== path) forceMkdir(above);
  if (statThere(path, lstatSync) !== null) moveAside(path);
  mkdirSync(path, { mode });
}

/**
 * Puts a folder in the place of the entry at `path`, and the entry into that folder.
 * @returns the new path
 * @throws the file system's error
 */
export function moveIntoFolder(path: string): string {
  const aside = moveAside(path);
  const inside = join(path, basename(aside));
  mkdirSync(path);
  renamePatiently(aside, inside);
  return inside;
}

/**
 * Renames the entry at `path` to a free name beside it, so nobody's work is lost.
 * @returns the new path
 * @throws the file system's error
 */
export function moveAside(path: string): string {
  for (let nth = 1; ; nth += 1) {
    const aside = `${path}.changed-${nth}`;
    if (existsSync(aside)) continue;
    renamePatiently(path, aside);
    return aside;
  }
}
