import { statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import type { Host } from "../../driver.ts";
import { writeFileAtomic } from "../files/atomic-write.ts";
import { makePrivateFolder } from "../files/private.ts";
import { readJson } from "../files/read-json.ts";
import type { User } from "./home.ts";

/** Where a user's programs keep data that they can compute again. */
export function cacheFolder({ platform, env, home }: User): string {
  if (platform === "win32") return join(env.LOCALAPPDATA || join(home, "AppData", "Local"), "ralph", "Cache");
  if (platform === "darwin") return join(home, "Library", "Caches", "ralph");
  // A relative path there must be ignored (XDG Base Directory Specification).
  const named = env.XDG_CACHE_HOME ?? "";
  return join(isAbsolute(named) ? named : join(home, ".cache"), "ralph");
}

type CacheEntry = { path: string; size: number; mtime_ms: number; answer: string };

/**
 * A program's answer, cached until the file changes (product.md "Agent version": by path, size and mtime). If the cache
 * fails, the program is simply asked again.
 * @param name of the cache file
 * @param path of the program
 * @param ask returns null for no answer, which is not cached
 */
export async function cachedAnswer(
  host: Host,
  name: string,
  path: string,
  ask: () => Promise<string | null>,
): Promise<string | null> {
  const file = join(cacheFolder(host), name);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return ask();
  const known = read(file);
  const isSame = (one: CacheEntry) =>
    one.path === path && one.size === stat.size && one.mtime_ms === stat.mtimeMs && typeof one.answer === "string";
  const found = known.find(isSame);
  if (found !== undefined) return found.answer;
  const answer = await ask();
  if (answer !== null) {
    const fresh = { path, size: stat.size, mtime_ms: stat.mtimeMs, answer };
    const rows = [...known.filter((one) => one.path !== path), fresh];
    keepInCache(host, name, `${JSON.stringify(rows, null, 2)}\n`);
  }
  return answer;
}

function read(file: string): CacheEntry[] {
  const json = readJson(file);
  return Array.isArray(json) ? json.filter((one) => typeof one === "object" && one !== null) : [];
}

/** Writes a file of the cache; where it cannot be written, what is in it is found out again. */
export function keepInCache(user: User, name: string, text: string): void {
  try {
    makePrivateFolder(cacheFolder(user));
    writeFileAtomic(join(cacheFolder(user), name), text);
  } catch {
    // the home is not writable, or two ralphs write at once
  }
}
