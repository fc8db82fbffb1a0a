/** Walks the tree: one `stat` per file and folder that counts; lists a folder again only when its stamp changed. */
import { codeOf } from "../../core/system-error.ts";
import type { GitSettings } from "../git/git-settings.ts";
import { repositoryAt } from "../git/repository.ts";
import type { Tracked, TrackedFolder } from "../git/tracked.ts";
import { createHasher } from "./content.ts";
import { createIdentify, type Identify } from "./file-identity.ts";
import { type Basis, createFolder, DEPENDENCIES, type Folder, type Selection, selectEntries } from "./folder.ts";
import { EMPTY_FOLDER, type FileState, type FolderState, folderStamp, isSame, isSameState } from "./folder-state.ts";
import { statesFromIndex } from "./index-states.ts";
import { listFolder, lstatOrNull } from "./listing.ts";
import type { Rules, RulesSource } from "./rules.ts";
import { type FolderLook, lookedFiles, openStatx, SAME, type Statx } from "./statx.ts";

export type ScanInput = {
  settings: GitSettings;
  tracked: Tracked;
  rules: RulesSource;
  /** Rules that apply to the project's folder from outside it. */
  outer: Rules;
  /** The repository ignores the project's folder: only tracked files in it count. */
  ignored: boolean;
  /** Outside a repository: nested repositories are plain folders, and dependencies do not count. */
  plain: boolean;
  /** Epoch ms. */
  now: number;
  /** Hears in each scan of the repositories inside, unless they are ignored: their paths from the repository's root, ending in "/". */
  onNested?(path: string): void;
  /** Hears in each scan of the folders that count, and whose `.gitignore` does not: it ignores itself. Their paths as those above. */
  onHiddenRules?(path: string): void;
};

export type Scan = (input: ScanInput) => FolderState;

type Context = ScanInput & {
  prefix: string;
  identify: Identify;
  selection: Selection;
  statx: Statx | null;
  warn: (message: string) => void;
};

/**
 * @param place the project's folder, absolute
 * @param prefix its path from the repository's root, "" or ending in "/"
 * @param warn called in each scan for whatever is unreadable
 */
export function createScan(place: string, prefix: string, warn: (message: string) => void): Scan {
  const root = createFolder(prefix, place);
  let statx: Statx | null | undefined;
  return (input) => {
    if (statx === undefined) statx = openStatx();
    const hasher = createHasher(input.settings.objectFormat === "sha256" ? "sha256" : "sha1");
    const selection: Selection = {
      isTrackedFolder: (path) => input.tracked.folders.has(path),
      isSkipped: (name) => name === ".git" || name === ".ralph" || (input.plain && name === DEPENDENCIES),
      ignoreCase: input.settings.ignoreCase,
    };
    const identify = createIdentify(hasher, input.settings, input.tracked, input.now);
    return visit(root, input.outer, input.ignored, { ...input, prefix, identify, selection, statx, warn });
  };
}

/** Updates a folder's state. An unreadable folder keeps its last known state. */
function visit(folder: Folder, outer: Rules, ignored: boolean, context: Context): FolderState {
  try {
    if (!relist(folder, context.now)) return forget(folder);
    const basis = basisOf(folder, outer, ignored, context);
    if (!isSameBasis(folder.basis, basis)) selectEntries(folder, basis, context.selection);
    if (!basis.ignored && folder.hidesRules) context.onHiddenRules?.(folder.path);
    return update(folder, basis, context);
  } catch (error) {
    const code = codeOf(error);
    if (code === "") throw error;
    if (code === "ENOENT" || code === "ENOTDIR") return forget(folder);
    context.warn(`${folder.path || "the project folder"} can't be read (${code}): changes in it are not seen`);
    // What the failed visit found is not in the state yet, so examine the whole folder again.
    Object.assign(folder, createFolder(folder.path, folder.place), { state: folder.state });
    return folder.state;
  }
}

function forget(folder: Folder): FolderState {
  Object.assign(folder, createFolder(folder.path, folder.place));
  return folder.state;
}

/** False if the folder is gone. */
function relist(folder: Folder, now: number): boolean {
  const stat = lstatOrNull(folder.location);
  if (!stat?.isDirectory()) return false;
  if (folder.stamp !== null && isSame(folder.stamp, stat)) return true;
  folder.listing = listFolder(folder.location);
  folder.basis = null;
  folder.stamp = folderStamp(stat, now);
  return true;
}

function basisOf(folder: Folder, outer: Rules, ignored: boolean, context: Context): Basis {
  const { files, folders } = folder.listing;
  const mayBeOwn =
    !context.plain && folder.path !== context.prefix && (folders.includes(".git") || files.includes(".git"));
  const isOwn = mayBeOwn && repositoryAt(folder.place) !== null;
  if (isOwn && !ignored) context.onNested?.(folder.path);
  return {
    rules: files.includes(".gitignore") ? context.rules.extend(outer, folder.path, folder.place) : outer,
    tracked: context.tracked.folders.get(folder.path),
    // Git never adds files of a nested repository.
    ignored: ignored || isOwn,
  };
}

function isSameBasis(a: Basis | null, b: Basis): boolean {
  return a !== null && a.rules === b.rules && a.tracked === b.tracked && a.ignored === b.ignored;
}

/** Makes a new state only if something differs: unchanged folders are the same object in both snapshots. */
function update(folder: Folder, { rules, tracked }: Basis, context: Context): FolderState {
  const before = folder.state;
  let isChanged = updateFiles(folder, tracked, context);
  const indexed = tracked === undefined ? [] : statesFromIndex(folder, tracked, context.tracked.width);
  for (const [name, state] of indexed) if (!isSameState(before.files.get(name), state)) isChanged = true;
  for (const child of folder.folders) {
    const state = visit(child.folder, rules, child.ignored, context);
    if (state !== (before.folders.get(child.name) ?? EMPTY_FOLDER)) isChanged = true;
  }
  if (isChanged || hasLost(folder, indexed.length)) folder.state = stateOf(folder, indexed);
  return folder.state;
}

/** Examines every file; true if one differs from the folder's state. */
function updateFiles(folder: Folder, tracked: TrackedFolder | undefined, context: Context): boolean {
  const look = lookInto(folder, context.statx);
  try {
    return updateEach(folder, look, tracked, context);
  } finally {
    look?.close();
  }
}

/** With fewer files, opening their folder takes longer than it saves. */
const LEAST_FILES = 4;

function lookInto(folder: Folder, statx: Statx | null): FolderLook | null {
  if (statx === null || folder.files.length < LEAST_FILES) return null;
  folder.looked ??= lookedFiles(folder.files.map(({ name }) => name));
  return statx(folder.location, folder.looked);
}

function updateEach(
  folder: Folder,
  look: FolderLook | null,
  tracked: TrackedFolder | undefined,
  context: Context,
): boolean {
  let isChanged = false;
  for (const [nth, file] of folder.files.entries()) {
    const { location, seen } = file;
    const stat = look?.at(nth, seen !== null && !seen.racy) ?? lstatOrNull(location);
    if (stat === SAME) continue;
    if (stat === null || stat.isDirectory()) {
      file.seen = null;
      folder.stamp = null;
      continue;
    }
    if (seen !== null && !seen.racy && isSame(seen, stat)) continue;
    file.seen = context.identify(location, stat, tracked?.files.get(file.name), seen);
    if (!isSameState(folder.state.files.get(file.name), file.seen)) isChanged = true;
  }
  return isChanged;
}

/** Whether the state holds more than exists now; new or different entries were found before. */
function hasLost(folder: Folder, indexed: number): boolean {
  let files = indexed;
  for (const { seen } of folder.files) if (seen !== null) files += 1;
  let folders = 0;
  for (const { folder: child } of folder.folders) if (child.state !== EMPTY_FOLDER) folders += 1;
  return files !== folder.state.files.size || folders !== folder.state.folders.size;
}

function stateOf(folder: Folder, indexed: readonly (readonly [string, FileState])[]): FolderState {
  const files = new Map<string, FileState>(indexed);
  for (const { name, seen } of folder.files) if (seen !== null) files.set(name, seen);
  const folders = new Map<string, FolderState>();
  for (const { name, folder: child } of folder.folders) {
    if (child.state !== EMPTY_FOLDER) folders.set(name, child.state);
  }
  return files.size + folders.size === 0 ? EMPTY_FOLDER : { files, folders };
}
