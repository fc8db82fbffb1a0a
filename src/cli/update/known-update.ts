import type { EnvVars } from "../../core/env-vars.ts";
import { compareToRunning } from "../../core/release/release.ts";
import { resolveSettings } from "../../core/settings/resolve-settings.ts";
import { readCachedUpdate } from "../../effects/network/update-cache.ts";
import { homeFolder } from "../../effects/user/home.ts";
import { readUserSettings } from "../../effects/user/user-settings.ts";
import { howToUpdate, updateFacts } from "./release-source.ts";

/** A newer version that an earlier check found; `how`: what to type, or where to look. */
export type KnownUpdate = { version: string; running: string; how: string };

/**
 * What ralph knows of a newer version already: nothing is asked for. Null if there is none, or its user wants to hear of none.
 * @param self the words that start this ralph again
 */
export function knownUpdate(env: EnvVars, self: readonly string[]): KnownUpdate | null {
  const { RALPH_UPDATE_CHECK } = env;
  const { settings } = resolveSettings({
    flags: {},
    env: { RALPH_UPDATE_CHECK },
    file: null,
    user: readUserSettings(env),
  });
  if (settings.RALPH_UPDATE_CHECK === "false") return null;
  const facts = updateFacts(env, self);
  const known = readCachedUpdate({ platform: process.platform, env, home: homeFolder(env) });
  const { version: running } = facts.build;
  if (known === null || known.source !== facts.source || compareToRunning(known.version, running) !== "newer")
    return null;
  return { version: known.version, running, how: howToUpdate(facts) };
}
