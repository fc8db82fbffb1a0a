import { join } from "node:path";
import { type CachedRelease, parseCachedRelease } from "../../core/release/update-notice.ts";
import { readRegularText } from "../files/regular-file.ts";
import type { User } from "../user/home.ts";
import { cacheFolder, keepInCache } from "../user/user-cache.ts";

const NAME = "update.json";

/** The last known release; null if there is none or it is unusable. */
export function readCachedUpdate(home: User): CachedRelease | null {
  try {
    return parseCachedRelease(readRegularText(join(cacheFolder(home), NAME)));
  } catch {
    return null;
  }
}

/** Caches an answer. If it cannot be written, the next start simply asks again. */
export function cacheUpdate(home: User, known: CachedRelease): void {
  keepInCache(home, NAME, `${JSON.stringify(known)}\n`);
}
