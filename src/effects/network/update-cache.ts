import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CachedRelease, parseCachedRelease } from "../../core/release/update-notice.ts";
import type { Host } from "../../driver.ts";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { cacheFolder } from "../user/user-cache.ts";

type Home = Pick<Host, "platform" | "env" | "home">;

const NAME = "update.json";

/** What the release source said last; null for nothing that is of use. */
export function readCachedUpdate(home: Home): CachedRelease | null {
  try {
    return parseCachedRelease(readFileSync(join(cacheFolder(home), NAME), "utf8"));
  } catch {
    return null;
  }
}

/** Remembers an answer. A cache that can't be written only costs asking again. */
export function cacheUpdate(home: Home, known: CachedRelease): void {
  try {
    mkdirSync(cacheFolder(home), { recursive: true });
    writeFileAtomic(join(cacheFolder(home), NAME), `${JSON.stringify(known)}\n`);
  } catch {
    // A home that can't be written to, or two ralphs at once.
  }
}
