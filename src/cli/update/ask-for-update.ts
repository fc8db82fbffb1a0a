import type { EnvVars } from "../../core/env-vars.ts";
import { isFresh, updateNotice } from "../../core/release/update-notice.ts";
import { mayUseNetwork } from "../../effects/network/net-permission.ts";
import { fetchRelease } from "../../effects/network/releases.ts";
import { cacheUpdate, readCachedUpdate } from "../../effects/network/update-cache.ts";
import { homeFolder } from "../../effects/user/home.ts";
import { howToUpdate, updateFacts } from "./release-source.ts";

const MOST_MS = 3_000;

/**
 * The notice of a newer version, or null. The answer is cached for a day.
 * @param now epoch ms
 * @param always ask, however fresh the cached answer is
 * @throws any error; the caller ignores it
 */
export async function askForUpdate(options: {
  env: EnvVars;
  self: readonly string[];
  now: number;
  always: boolean;
}): Promise<string | null> {
  const { env, self, now, always } = options;
  const facts = updateFacts(env, self);
  const { source } = facts;
  if (source === null) return null;
  const home = { platform: process.platform, env, home: homeFolder(env) };
  const known = readCachedUpdate(home);
  const say = (offered: string) => updateNotice({ offered, running: facts.build.version, how: howToUpdate(facts) });
  if (!always && isFresh(known, source, now)) return say(known.version);
  if (!mayUseNetwork()) return null;
  const { version } = await fetchRelease(source, { timeoutMs: MOST_MS });
  cacheUpdate(home, { source, version, checked_at: now });
  return say(version);
}
