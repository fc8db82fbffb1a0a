/** Reads what the index says about part of the working tree, by folder. */

import { join } from "node:path";
import { reasonOf } from "../../core/system-error.ts";
import { readRegular } from "../files/regular-file.ts";
import type { GitSettings } from "./git-settings.ts";
import {
  ASSUME_VALID,
  GITLINK,
  type IndexEntry,
  modeOf,
  parseIndex,
  SKIP_WORKTREE,
  SPARSE_FOLDER,
  STAGE,
} from "./index-file.ts";
import { readBytes, readStamp } from "./read.ts";
import type { Repository } from "./repository.ts";
import { mergeSplitIndex, sharedIndexName } from "./split-index.ts";

export type TrackedFolder = {
  files: Map<string, IndexEntry>;
  /** Names that git assumes unchanged, whatever is on the disk. */
  unwatched: string[];
  submodules: string[];
};

export type Tracked = {
  /** By path from the repository's root ("" or ending in "/"); includes every parent folder of a tracked file. */
  folders: ReadonlyMap<string, TrackedFolder>;
  /** Time in ms at which the index was written; 0 if there is none. */
  writtenMs: number;
  /** Bytes of an object id. */
  width: number;
};

const NOTHING: Tracked = { folders: new Map(), writtenMs: 0, width: 20 };

export type TrackedReader = (repository: Repository, settings: GitSettings, prefix: string) => Tracked;

/** Reads the index again only when it changed. An unreadable index counts as empty and causes a warning. */
export function createTrackedReader(
  statMs: (path: string) => number | null,
  warn: (message: string) => void,
): TrackedReader {
  let known: { key: string; tracked: Tracked } | null = null;
  return (repository, settings, prefix) => {
    const path = join(repository.gitDir, "index");
    const stamp = readStamp(path);
    if (stamp === null) return NOTHING;
    const key = JSON.stringify([path, stamp, prefix, settings.objectFormat, settings.sparseCheckout]);
    if (known?.key === key) return known.tracked;
    const writtenMs = statMs(path) ?? 0;
    const width = settings.objectFormat === "sha256" ? 32 : 20;
    try {
      const folders = byFolder(readEntries(repository, path, width), prefix, settings);
      known = { key, tracked: { folders, writtenMs, width } };
      return known.tracked;
    } catch (error) {
      warn(`the git index could not be read (${reasonOf(error)}): every file counts as new to git`);
      return NOTHING;
    }
  };
}

/** @throws Error for bytes that are no index; the file system's error */
export function readEntries(repository: Repository, path: string, width: number): IndexEntry[] {
  const own = parseIndex(readRegular(path), width);
  const name = own.link === null ? null : sharedIndexName(own.link, width);
  if (name === null) return own.entries;
  const bytes = readBytes(join(repository.gitDir, name)) ?? readBytes(join(repository.commonDir, name));
  return mergeSplitIndex(parseIndex(bytes ?? Buffer.alloc(0), width).entries, own, width);
}

function byFolder(
  entries: readonly IndexEntry[],
  prefix: string,
  settings: GitSettings,
): ReadonlyMap<string, TrackedFolder> {
  const folders = new Map<string, TrackedFolder>();
  const folderAt = (path: string): TrackedFolder => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const folder: TrackedFolder = { files: new Map(), unwatched: [], submodules: [] };
    folders.set(path, folder);
    if (path.length > prefix.length) folderAt(path.slice(0, path.lastIndexOf("/", path.length - 2) + 1));
    return folder;
  };
  // Entries of one folder are usually adjacent, so remember the last folder.
  let folderPath: string | null = null;
  let folder = folderAt(prefix);
  for (const entry of entries) {
    const { path } = entry;
    if (prefix !== "" && !path.startsWith(prefix)) continue;
    const mode = modeOf(entry);
    if (mode === SPARSE_FOLDER) continue;
    const slash = path.lastIndexOf("/") + 1;
    if (folderPath === null || slash !== folderPath.length || !path.startsWith(folderPath)) {
      folderPath = path.slice(0, slash);
      folder = folderAt(folderPath);
    }
    const name = path.slice(slash);
    folder.files.set(name, entry);
    if (mode === GITLINK) folder.submodules.push(name);
    else if (isUnwatched(entry, settings)) folder.unwatched.push(name);
  }
  return folders;
}

/** In a sparse checkout git compares a skipped file that exists anyway; elsewhere it ignores skipped files. */
function isUnwatched({ flags }: IndexEntry, settings: GitSettings): boolean {
  if (flags & STAGE) return false;
  return (flags & ASSUME_VALID) !== 0 || ((flags & SKIP_WORKTREE) !== 0 && !settings.sparseCheckout);
}
