/** Decides from stat data alone whether a file equals its index entry, so its bytes need no reading. */
import type { GitSettings } from "../git/git-settings.ts";
import { ctimeOf, INTENT_TO_ADD, type IndexEntry, inodeOf, mtimeOf, STAGE, sizeOf } from "../git/index-file.ts";
import type { FileStat } from "./listing.ts";

/** @param writtenMs when the index was written: a file that new may have been written again within the same tick */
export function isAsIndexed(entry: IndexEntry, stat: FileStat, writtenMs: number, settings: GitSettings): boolean {
  if (entry.flags & (STAGE | INTENT_TO_ADD)) return false;
  if (sizeOf(entry) !== stat.size % 2 ** 32) return false;
  const mtime = mtimeOf(entry);
  if (!isSameTime(mtime, stat.mtimeMs) || isAsNewAs(mtime, writtenMs)) return false;
  const ctime = ctimeOf(entry);
  // Programs other than git write zero for unknown values.
  if (settings.trustCtime && ctime.s !== 0 && !isSameTime(ctime, stat.ctimeMs)) return false;
  const inode = inodeOf(entry);
  return !settings.trustInode || inode === 0 || inode === stat.ino % 2 ** 32;
}

type Time = { s: number; ns: number };

/**
 * Either may be rounded: the index to seconds, `ms` to seconds or whole ms (Deno), otherwise to a quarter of a microsecond.
 */
function isSameTime({ s, ns }: Time, ms: number): boolean {
  const seconds = Math.floor(ms / 1_000);
  if (s !== seconds % 2 ** 32) return false;
  const fraction = ms - seconds * 1_000;
  if (ns === 0 || fraction === 0) return true;
  const indexed = ns / 1_000_000;
  return Number.isInteger(ms) ? Math.floor(indexed) === fraction : Math.abs(indexed - fraction) < 0.001;
}

function isAsNewAs({ s, ns }: Time, ms: number): boolean {
  return ns === 0 ? s >= Math.floor(ms / 1_000) : s * 1_000 + Math.floor(ns / 1_000_000) >= Math.floor(ms);
}
