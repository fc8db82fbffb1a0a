import { chmodSync, lstatSync, mkdirSync } from "node:fs";

/**
 * Permissions of what ralph writes for its own user: journals, outputs, logs, state (product.md "Private"). A umask only takes
 * away from them. Windows has no such bits: there a file has the permissions of the folder that it is made in.
 */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;
/** Permissions of what people share, mostly through git: prompt, plan, specs, settings, the code. The umask narrows them. */
export const SHARED_FILE = 0o666;

const OF_OTHERS = 0o077;

/**
 * Makes a folder, and those above it, that only this user may read; takes the others' rights from one that exists.
 * @throws the file system's error if it cannot be made
 */
export function makePrivateFolder(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  const isThere = stat?.isDirectory() === true;
  if (!isThere) mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER });
  makePrivate(path, isThere ? stat : undefined);
}

/**
 * Takes the rights of others from a file or folder that an older ralph, or another program, made. Links are not followed.
 * @param stat what stands there, if the caller has just looked
 */
export function makePrivate(path: string, stat = lstatSync(path, { throwIfNoEntry: false })): void {
  if (stat === undefined || process.platform === "win32" || (stat.mode & OF_OTHERS) === 0) return;
  if (!stat.isFile() && !stat.isDirectory()) return;
  try {
    chmodSync(path, stat.mode & ~OF_OTHERS & 0o7777);
  } catch {
    // It belongs to another user, or its file system has no permissions (FAT, some shares): nothing more can be done here, and
    // the run can work in it all the same.
  }
}
