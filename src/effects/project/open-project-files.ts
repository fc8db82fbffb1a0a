/** Reads a project's files without following links out of it. */

import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { containsPath } from "../files/contains-path.ts";
import { MAX_TEXT_BYTES, readRegular } from "../files/regular-file.ts";

type Entry = { name: string; kind: "file" | "folder" };

const MAX_ENTRIES = 5000;

/**
 * A project as detection and scaffolding see it (`ProjectFiles` of setup/detect/files.ts). Nothing throws. Links are never
 * listed, and read only if they stay inside the project.
 * @param root absolute folder; it need not exist
 */
export function openProjectFiles(root: string) {
  const place = (path: string) => (path === "" ? root : join(root, ...path.split("/")));
  return {
    exists: (path: string): boolean => entryKind(place(path)) !== null,
    read(path: string): string | null {
      try {
        const real = realpathSync(place(path));
        if (!containsPath(realpathSync(root), real)) return null;
        return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readRegular(real, MAX_TEXT_BYTES));
      } catch {
        return null; // missing, unreadable or not text: all mean "nothing to see"
      }
    },
    list(folder: string): Entry[] {
      try {
        if (entryKind(place(folder)) !== "folder") return [];
        return readdirSync(place(folder), { withFileTypes: true })
          .slice(0, MAX_ENTRIES)
          .flatMap((entry): Entry[] =>
            entry.isDirectory()
              ? [{ name: entry.name, kind: "folder" }]
              : entry.isFile()
                ? [{ name: entry.name, kind: "file" }]
                : [],
          )
          .sort((a, b) => (a.name < b.name ? -1 : 1));
      } catch {
        return [];
      }
    },
  };
}

function entryKind(path: string): "file" | "folder" | "link" | null {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return null;
    return stat.isDirectory() ? "folder" : stat.isSymbolicLink() ? "link" : "file";
  } catch {
    return null; // name too long, or a folder without permission to search
  }
}
