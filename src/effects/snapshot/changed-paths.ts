/** The difference between two snapshots. */
import { EMPTY_FOLDER, type FolderState, isSameState } from "./folder-state.ts";

/** Paths below `before` and `after` whose content or mode differs, sorted. */
export function changedPaths(before: FolderState, after: FolderState): string[] {
  const paths: string[] = [];
  collect(before, after, "", paths);
  return paths.sort();
}

function collect(before: FolderState, after: FolderState, path: string, paths: string[]): void {
  if (before === after) return;
  for (const name of union(before.files, after.files)) {
    if (!isSameState(before.files.get(name), after.files.get(name))) paths.push(path + name);
  }
  for (const name of union(before.folders, after.folders)) {
    const old = before.folders.get(name) ?? EMPTY_FOLDER;
    collect(old, after.folders.get(name) ?? EMPTY_FOLDER, `${path}${name}/`, paths);
  }
}

function union(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): Set<string> {
  return new Set([...a.keys(), ...b.keys()]);
}
