/** Entries whose state comes from the index: submodules, and files that git assumes unchanged. */
import { type IndexEntry, modeOf, oidOf } from "../git/index-file.ts";
import { readHead } from "../git/refs.ts";
import { repositoryAt } from "../git/repository.ts";
import type { TrackedFolder } from "../git/tracked.ts";
import type { Folder } from "./folder.ts";
import { type FileState, SUBMODULE } from "./folder-state.ts";

/** @param width bytes of an object id */
export function statesFromIndex(
  folder: Folder,
  tracked: TrackedFolder,
  width: number,
): [name: string, state: FileState][] {
  const states: [string, FileState][] = [];
  const entryOf = (name: string): IndexEntry | undefined => tracked.files.get(name);
  for (const name of tracked.unwatched) {
    const entry = entryOf(name);
    if (entry !== undefined) states.push([name, { content: oidOf(entry, width), kind: modeOf(entry) }]);
  }
  for (const name of tracked.submodules) {
    const entry = entryOf(name);
    if (entry === undefined || !folder.listing.folders.includes(name)) continue;
    const own = repositoryAt(`${folder.place}/${name}`);
    const head = own === null ? null : readHead(own).oid;
    states.push([name, { content: head ?? oidOf(entry, width), kind: SUBMODULE }]);
  }
  return states;
}
