/** The state of a file in a snapshot; reads its bytes only if nothing else identifies them. */
import type { GitSettings } from "../git/git-settings.ts";
import { type IndexEntry, modeOf, oidOf, sizeOf } from "../git/index-file.ts";
import type { Hasher } from "./content.ts";
import { EXECUTABLE, isRacy, LINK, REGULAR, type SeenFile, stampFrom } from "./folder-state.ts";
import { isAsIndexed } from "./index-match.ts";
import type { FileStat } from "./listing.ts";

export type Identify = (
  path: string | Buffer,
  stat: FileStat,
  entry: IndexEntry | undefined,
  before: SeenFile | null,
) => SeenFile;

/** @param now epoch ms from before the first file was examined */
export function createIdentify(
  hasher: Hasher,
  settings: GitSettings,
  index: { writtenMs: number; width: number },
  now: number,
): Identify {
  const contentOf: (...args: Parameters<Identify>) => string | null = (path, stat, entry, before) => {
    if (stat.isSymbolicLink()) return hasher.link(path);
    if (stat.size === 0) return hasher.emptyBlob;
    const oid = entry === undefined ? null : oidOf(entry, index.width);
    if (entry !== undefined && isAsIndexed(entry, stat, index.writtenMs, settings)) {
      if (before === null || before.content === oid || before.size !== stat.size) return oid;
    }
    const content = hasher.file(path, stat.size);
    if (content === null || oid === null || content === oid || before?.content === content) return content;
    // For a file that git converts when adding (line ends, LFS), the id in the index differs from the id of its bytes.
    if (entry === undefined || sizeOf(entry) !== stat.size) return content;
    return hasher.isStoredAs(oid, path, stat.size) ? oid : content;
  };
  return (path, stat, entry, before) => {
    const content = contentOf(path, stat, entry, before);
    return {
      ...stampFrom(stat),
      content: content ?? `stat:${stat.size}:${stat.mtimeMs}`,
      kind: entryMode(stat, entry, settings),
      racy: isRacy(stat, now),
    };
  };
}

function entryMode(stat: FileStat, entry: IndexEntry | undefined, settings: GitSettings): number {
  if (stat.isSymbolicLink()) return LINK;
  if (!settings.fileMode) return entry !== undefined && modeOf(entry) === EXECUTABLE ? EXECUTABLE : REGULAR;
  return stat.mode & 0o100 ? EXECUTABLE : REGULAR;
}
