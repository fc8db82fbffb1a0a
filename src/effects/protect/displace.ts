import { existsSync, lstatSync, mkdirSync, renameSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { replaceFile } from "../files/atomic-write.ts";

/**
 * Replaces a file of ralph's own as a whole, also where somebody put a folder in its place: that is moved aside.
 * @throws the file system's error
 */
export function reclaimFile(path: string, content: string | Uint8Array): void {
  if (found(() => lstatSync(path))?.isDirectory() === true) setAside(path);
  replaceFile(path, content);
}

/**
 * Makes a folder, and those above it. What else stands in their places, a file or a link that leads nowhere, is moved aside.
 * @throws the file system's error
 */
export function reclaimFolder(path: string): void {
  if (found(() => statSync(path))?.isDirectory() === true) return;
  const above = dirname(path);
  // A drive that is gone has none.
  if (above !== path) reclaimFolder(above);
  if (found(() => lstatSync(path)) !== null) setAside(path);
  mkdirSync(path);
}

/**
 * Puts a folder in the place of what stands at `path`, and what stood there into it.
 * @returns the new path
 * @throws the file system's error
 */
export function replaceByFolder(path: string): string {
  const aside = setAside(path);
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
export function setAside(path: string): string {
  for (let nth = 1; ; nth += 1) {
    const aside = `${path}.changed-${nth}`;
    if (existsSync(aside)) continue;
    renameSync(path, aside);
    return aside;
  }
}

function found(look: () => Stats): Stats | null {
  try {
    return look();
  } catch {
    return null; // nothing is there, or a folder on the way is none
  }
}
