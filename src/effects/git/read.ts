/** Reading small files that may not be there. */
import { lstatSync, readFileSync, statSync } from "node:fs";

/** The file's bytes; null where there is none or it can't be read. */
export function readBytes(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch {
    return null;
  }
}

/** The file's text; null where there is none or it can't be read. */
export function readText(path: string): string | null {
  return readBytes(path)?.toString("utf8") ?? null;
}

export function isFolder(path: string): boolean {
  return pathKind(path) === "folder";
}

/** What stands at `path`, symbolic links followed. */
export function pathKind(path: string): "file" | "folder" | null {
  try {
    const stat = statSync(path);
    return stat.isDirectory() ? "folder" : stat.isFile() ? "file" : null;
  } catch {
    return null;
  }
}

/** What tells one version of a file from the next; null where there is none. */
export function readStamp(path: string): string | null {
  try {
    const stat = lstatSync(path);
    return `${stat.mtimeMs} ${stat.ctimeMs} ${stat.size} ${stat.ino}`;
  } catch {
    return null;
  }
}
