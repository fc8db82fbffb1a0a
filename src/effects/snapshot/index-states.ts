/** Entries whose state is not that of a file: repositories inside, by their HEAD, and files that git assumes unchanged. */
import { type IndexEntry, modeOf, oidOf } from "../git/index-file.ts";
import { readHead } from "../git/refs.ts";
import { repositoryAt } from "../git/repository.ts";
import type { TrackedFolder } from "../git/tracked.ts";
import type { Folder } from "./folder.ts";
import { EMPTY_FOLDER, type FileState, SUBMODULE } from "./folder-state.ts";

/** Of a folder whose own folders were looked at. @param width bytes of an object id */
export function statesFromIndex(
  folder: Folder,
  tracked: TrackedFolder | undefined,
  width: number,
): [name: string, state: FileState][] {
  const states: [string, FileState][] = [];
  for (const { name, folder: child } of folder.folders)
    if (child.head !== null) states.push([name, { content: child.head, kind: SUBMODULE, isHead: true }]);
  if (tracked === undefined) return states;
  const entryOf = (name: string): IndexEntry | undefined => tracked.files.get(name);
  for (const name of tracked.unwatched) {
    const entry = entryOf(name);
    if (entry !== undefined) states.push([name, { content: oidOf(entry, width), kind: modeOf(entry) }]);
  }
  for (const name of tracked.submodules) {
    const entry = entryOf(name);
    if (entry === undefined || !folder.listing.folders.includes(name)) continue;
    const child = folder.folders.find((one) => one.name === name);
    if (child !== undefined && child.folder.head !== null) continue;
    const own = child === undefined ? repositoryAt(`${folder.place}/${name}`) : null;
    const head = own === null ? null : readHead(own).oid;
    const isHead = child !== undefined && (child.folder.inside !== null || child.folder.state !== EMPTY_FOLDER);
    states.push([name, { content: head ?? oidOf(entry, width), kind: SUBMODULE, isHead }]);
  }
  return states;
}
