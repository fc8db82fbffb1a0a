/** Walks the tree: one `stat` per file and folder that counts; lists a folder again only when its stamp changed. */
import { codeOf } from "../../core/system-error.ts";
import type { GitSettings } from "../git/git-settings.ts";
import { type Repository, repositoryAt } from "../git/repository.ts";
import type { Tracked, TrackedFolder } from "../git/tracked.ts";
import { createHasher } from "./content.ts";
import { createIdentify, type Identify } from "./file-identity.ts";
import { type Basis, createFolder, DEPENDENCIES, type Folder, type Selection, selectEntries } from "./folder.ts";
import { EMPTY_FOLDER, type FileState, type FolderState, folderStamp, isSame, isSameState } from "./folder-state.ts";
import { statesFromIndex } from "./index-states.ts";
import { listFolder, lstatOrNull } from "./listing.ts";
import type { ProjectLocation } from "./locate-project.ts";
import type { Rules, RulesSource } from "./rules.ts";
import { type FolderLook, lookedFiles, openStatx, SAME, type Statx } from "./statx.ts";

export type ScanInput = {
  repository: Repository | null;
  settings: GitSettings;
  tracked: Tracked;
  rules: RulesSource;
  /** Rules that apply to the project's folder from outside it. */
  outer: Rules;
  /** The repository ignores the project's folder: only tracked files in it count. */
  ignored: boolean;
  /** Outside a repository: those inside are plain folders, and dependencies do not count. */
  plain: boolean;
  /** Epoch ms. */
  now: number;
  /** Opens the repository in a folder: without it those inside, unless they are ignored, count by HEAD where the index has them. */
  openInside?(place: string): InsideLook;
} & ScanListener;

export type ScanListener = {
  /** Hears in each scan of the repositories inside whose files do not count: their paths from the repository's root, ending in "/". */
  onNested?(path: string): void;
  /** Hears of those that it looked into. */
  onInside?(path: string, place: ProjectLocation): void;
  /** Hears in each scan of the folders that count, and whose `.gitignore` does not: it ignores itself. Their paths as those above. */
  onHiddenRules?(path: string): void;
};

/** Looks into a repository as into a project, and tells the listener's paths from its root, "" for itself. */
export type InsideLook = (now: number, listener: ScanListener) => { head: string | null; state: FolderState };

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
      looksInside: input.openInside !== undefined,
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
    const own = ignored ? null : repositoryIn(folder, context);
    if (own !== null && context.openInside !== undefined && !isOtherCheckout(own, context.repository))
      return lookInside(folder, context.openInside, context);
    if (folder.inside !== null) Object.assign(folder, { inside: null, head: null });
    if (own !== null) context.onNested?.(folder.path);
    const basis = basisOf(folder, outer, ignored || own !== null, context);
    if (!isSameBasis(folder.basis, basis)) selectEntries(folder, basis, context.selection);
    if (!basis.ignored && folder.hidesRules) context.onHiddenRules?.(folder.path);
    return update(folder, basis, context);
  } catch (error) {
    const code = codeOf(error);
    if (code === "") throw error;
    if (code === "ENOENT" || code === "ENOTDIR") return forget(folder);
    context.warn(`${folder.path || "the project folder"} can't be read (${code}): changes in it are not seen`);
    // What the failed visit found is not in the state yet, so examine the whole folder again.
    const { state, head } = folder;
    Object.assign(folder, createFolder(folder.path, folder.place), { state, head });
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

/** The repository that begins in a folder inside; null for none. Git takes a folder with files of its index for a plain one. */
function repositoryIn({ path, place, listing }: Folder, context: Context): Repository | null {
  const mayBe =
    !context.plain && path !== context.prefix && (listing.folders.includes(".git") || listing.files.includes(".git"));
  return mayBe && !context.tracked.folders.has(path) ? repositoryAt(place) : null;
}

/** A linked worktree of the project's own repository is work of its own, maybe of another run: no undo here may touch it. */
function isOtherCheckout(own: Repository, around: Repository | null): boolean {
  return own.commonDir === around?.commonDir;
}

function lookInside(folder: Folder, open: (place: string) => InsideLook, context: Context): FolderState {
  folder.inside ??= open(folder.place);
  const { head, state } = folder.inside(context.now, {
    onNested: (path) => context.onNested?.(folder.path + path),
    onInside: (path, place) => context.onInside?.(folder.path + path, place),
    onHiddenRules: (path) => context.onHiddenRules?.(folder.path + path),
  });
  Object.assign(folder, { head, state });
  return state;
}

function basisOf(folder: Folder, outer: Rules, ignored: boolean, context: Context): Basis {
  const hasRules = folder.listing.files.includes(".gitignore");
  return {
    rules: hasRules ? context.rules.extend(outer, folder.path, folder.place) : outer,
    tracked: context.tracked.folders.get(folder.path),
    ignored,
  };
}

function isSameBasis(a: Basis | null, b: Basis): boolean {
  return a !== null && a.rules === b.rules && a.tracked === b.tracked && a.ignored === b.ignored;
}

/** Makes a new state only if something differs: unchanged folders are the same object in both snapshots. */
function update(folder: Folder, { rules, tracked }: Basis, context: Context): FolderState {
  const before = folder.state;
  let isChanged = updateFiles(folder, tracked, context);
  for (const child of folder.folders) {
    const state = visit(child.folder, rules, child.ignored, context);
    if (state !== (before.folders.get(child.name) ?? EMPTY_FOLDER)) isChanged = true;
  }
  const indexed = statesFromIndex(folder, tracked, context.tracked.width);
  for (const [name, state] of indexed) if (!isSameState(before.files.get(name), state)) isChanged = true;
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
