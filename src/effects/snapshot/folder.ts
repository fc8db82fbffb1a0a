/** What the scanner keeps about a folder between snapshots, and which of its entries count. */
import { encodePath } from "../git/names.ts";
import type { TrackedFolder } from "../git/tracked.ts";
import { EMPTY_FOLDER, type FolderState, type SeenFile, type Stamp } from "./folder-state.ts";
import type { Listing } from "./listing.ts";
import type { Rules } from "./rules.ts";
import type { InsideLook } from "./scan.ts";
import type { LookedFiles } from "./statx.ts";

/** What does not count outside a repository. */
export const DEPENDENCIES = "node_modules";

export type Folder = {
  /** From the repository's root, with forward slashes; "" or ending in "/". */
  readonly path: string;
  /** Absolute. */
  readonly place: string;
  readonly location: string | Buffer;
  /** The folder's own stamp when it was listed; null: list it again. */
  stamp: Stamp | null;
  listing: Listing;
  /** The criteria by which the entries were selected; null: select again. */
  basis: Basis | null;
  files: { name: string; location: string | Buffer; seen: SeenFile | null }[];
  /** What a look at all of them at once keeps; null before it. */
  looked: LookedFiles | null;
  folders: { name: string; folder: Folder; ignored: boolean }[];
  /** How its own repository is looked into; null where none begins here. */
  inside: InsideLook | null;
  /** HEAD of that repository; null for none. */
  head: string | null;
  /** It has a `.gitignore` that is none of its files, as it ignores itself. */
  hidesRules: boolean;
  /** Its state in the last snapshot. */
  state: FolderState;
};

export type Basis = {
  readonly rules: Rules;
  readonly tracked: TrackedFolder | undefined;
  /** The folder is ignored: only tracked files in it count. */
  readonly ignored: boolean;
};

/** What selecting entries needs to know about the whole tree. */
export type Selection = {
  /** @param path from the repository's root, ending in "/" */
  isTrackedFolder(path: string): boolean;
  isSkipped(name: string): boolean;
  /** What lies in repositories inside counts. */
  looksInside: boolean;
  ignoreCase: boolean;
};

/** A folder at which nobody looked yet. */
export function createFolder(path: string, place: string): Folder {
  return {
    path,
    place,
    location: encodePath(place),
    stamp: null,
    listing: { files: [], folders: [] },
    basis: null,
    files: [],
    looked: null,
    folders: [],
    inside: null,
    head: null,
    hidesRules: false,
    state: EMPTY_FOLDER,
  };
}

/** Selects the files and sub-folders that count; keeps what is known about the remaining ones. */
export function selectEntries(folder: Folder, basis: Basis, selection: Selection): void {
  const { rules, tracked, ignored } = basis;
  const { path, place, listing } = folder;
  const unwatched = new Set(tracked?.unwatched);
  const respelled = selection.ignoreCase && tracked !== undefined ? respellings(listing.files, tracked) : null;
  const isChosen = (name: string): boolean => {
    if (tracked?.files.has(name)) return !unwatched.has(name);
    return !ignored && name !== ".git" && respelled?.has(name) !== true && !rules.ignores(path + name);
  };
  const names = listing.files.filter(isChosen);
  for (const name of respelled?.values() ?? []) if (!unwatched.has(name)) names.push(name);

  const seen = new Map(folder.files.map((file) => [file.name, file.seen]));
  const children = new Map(folder.folders.map((child) => [child.name, child.folder]));
  folder.files = names.map((name) => ({
    name,
    location: encodePath(`${place}/${name}`),
    seen: seen.get(name) ?? null,
  }));
  folder.looked = null;
  folder.hidesRules = listing.files.includes(".gitignore") && !names.includes(".gitignore");
  folder.folders = [];
  for (const name of listing.folders) {
    if (selection.isSkipped(name)) continue;
    const isSubmodule = tracked?.submodules.includes(name) === true;
    if (isSubmodule && !selection.looksInside) continue;
    const below = `${path}${name}/`;
    // The index has a submodule whatever the rules say.
    const isIgnored = !isSubmodule && (ignored || rules.ignores(below));
    if (isIgnored && !selection.isTrackedFolder(below)) continue;
    const child = children.get(name) ?? createFolder(below, `${place}/${name}`);
    folder.folders.push({ name, folder: child, ignored: isIgnored });
  }
  folder.basis = basis;
}

/**
 * On a case-insensitive file system the disk may spell a tracked name differently; maps the disk's spelling to the index's.
 */
function respellings(listed: readonly string[], tracked: TrackedFolder): Map<string, string> {
  const byFolded = new Map([...tracked.files.keys()].map((name) => [name.toLowerCase(), name]));
  const found = new Map<string, string>();
  for (const name of listed) {
    const spelled = byFolded.get(name.toLowerCase());
    if (spelled !== undefined && !tracked.files.has(name)) found.set(name, spelled);
  }
  return found;
}
