import { realpathSync, statSync } from "node:fs";

/** Whether a file is at `path`; symbolic links are followed. False too for what cannot be seen. */
export function isFileAt(path: string): boolean {
  return pathKind(path) === "file";
}

/** Whether a folder is at `path`; symbolic links are followed. False too for what cannot be seen. */
export function isFolderAt(path: string): boolean {
  return pathKind(path) === "folder";
}

/** The kind of entry at `path`; symbolic links are followed. Null too for what cannot be seen. */
export function pathKind(path: string): "file" | "folder" | null {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isDirectory() === true ? "folder" : stat?.isFile() === true ? "file" : null;
  } catch {
    return null; // a name that is too long, links in a circle, or a place where this user may not look
  }
}

/** A path with its links followed; null if nothing is there. */
export function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
