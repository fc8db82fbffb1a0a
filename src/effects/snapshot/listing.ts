/** The names in a folder, by kind. */
import { lstatSync, readdirSync, type Stats } from "node:fs";
import { codeOf } from "../../core/system-error.ts";
import { decodeName, encodePath } from "../git/names.ts";

/** Sorted. Without devices, pipes and sockets, which git ignores. */
export type Listing = { files: string[]; folders: string[] };

/** @throws the system's error if the folder is unreadable */
export function listFolder(location: string | Buffer): Listing {
  const files: string[] = [];
  const folders: string[] = [];
  for (const entry of readdirSync(location, { withFileTypes: true })) {
    if (entry.name.includes("\ufffd")) return listBytes(location);
    if (entry.isFile() || entry.isSymbolicLink()) files.push(entry.name);
    else if (entry.isDirectory()) folders.push(entry.name);
  }
  return { files: files.sort(), folders: folders.sort() };
}

/** The slow way, for a folder with names that are not UTF-8. */
function listBytes(location: string | Buffer): Listing {
  const files: string[] = [];
  const folders: string[] = [];
  for (const bytes of readdirSync(location, { encoding: "buffer" })) {
    const name = decodeName(bytes, 0, bytes.length);
    const stat = lstatOrNull(encodePath(`${decodeLocation(location)}/${name}`));
    if (stat?.isFile() || stat?.isSymbolicLink()) files.push(name);
    else if (stat?.isDirectory()) folders.push(name);
  }
  return { files: files.sort(), folders: folders.sort() };
}

function decodeLocation(location: string | Buffer): string {
  return typeof location === "string" ? location : decodeName(location, 0, location.length);
}

/** What is seen of a file without reading it. */
export type FileStat = Pick<Stats, "mtimeMs" | "ctimeMs" | "size" | "ino" | "mode" | "isDirectory" | "isSymbolicLink">;

/** `lstat`; null if nothing is there. @throws the system's error if that is unknown */
export function lstatOrNull(path: string | Buffer): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return null;
    throw error;
  }
}
