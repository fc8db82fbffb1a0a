import { existsSync, lstatSync, mkdirSync, renameSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { writeFileAtomic } from "../files/atomic-write.ts";

/**
 * Replaces a file of ralph's own as a whole, also where somebody put a folder in its place: that is moved aside.
 * @throws the file system's error
 */
export function forceWriteFile(path: string, content: string | Uint8Array): void {
  if (statOrNull(() => lstatSync(path))?.isDirectory() === true) moveAside(path);
  writeFileAtomic(path, content);
}

/**
 * Makes a folder, and those above it. What else stands in their places, a file or a link that leads nowhere, is moved aside.
 * @throws the file system's error
 */
export function forceMkdir(path: string): void {
  if (statOrNull(() => statSync(path))?.isDirectory() === true) return;
  const above = dirname(path);
  // A drive that is gone has none.
  if (above !== path) forceMkdir(above);
  if (statOrNull(() => lstatSync(path)) !== null) moveAside(path);
  mkdirSync(path);
}

/**
 * Puts a folder in the place of what stands at `path`, and what stood there into it.
 * @returns the new path
 * @throws the file system's error
 */
export function moveIntoFolder(path: string): string {
  const aside = moveAside(path);
  const inside = join(path, basename(aside));
  mkdirSync(path);
  renameSync(aside, inside);
  return inside;
}

/**
 * Renames what stands at `path` to a free name beside it: nothing that somebody made is lost.
 * @returns the new path
 * @throws the file system's error
 */
export function moveAside(path: string): string {
  for (let nth = 1; ; nth += 1) {
    const aside = `${path}.changed-${nth}`;
    if (existsSync(aside)) continue;
    renameSync(path, aside);
    return aside;
  }
}

function statOrNull(look: () => Stats): Stats | null {
  try {
    return look();
  } catch {
    return null; // nothing is there, or a folder on the way is none
  }
}
