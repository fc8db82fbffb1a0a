import type { EnvVars } from "../../core/env-vars.ts";
import { RalphError } from "../../core/errors.ts";
import { promptFileIn } from "../../core/settings/resolve-settings.ts";
import { createHost } from "../../effects/host.ts";
import { projectPaths } from "../../effects/project/project-paths.ts";
import { settingsNow } from "../config/settings-target.ts";
import { agreeTo, judgeItems, projectItems, type TrustItem } from "./project-trust.ts";

/**
 * Lets the user's own command write to a project. What it newly makes run is agreed to by that; what stood there before, and
 * nobody agreed to, is not.
 * @param whole the settings that the user gives as a whole
 */
export async function byOwnHand<T>(
  project: string,
  env: EnvVars,
  write: () => T | Promise<T>,
  whole: readonly string[] = [],
): Promise<T> {
  const host = createHost(project, env);
  const before = itemsNow(project, env);
  const result = await write();
  const after = itemsNow(project, env);
  if (before === null || after === null) return result;
  const old = judgeItems(before, host);
  const fresh = after.filter(({ key, digest }) => {
    const known = old.find((item) => item.key === key);
    return whole.includes(key) || known === undefined || (known.state === "agreed" && known.digest !== digest);
  });
  if (fresh.length > 0) agreeTo(fresh, host);
  return result;
}

/** Null for settings that cannot be read: nothing is agreed to then. */
function itemsNow(project: string, env: EnvVars): TrustItem[] | null {
  try {
    const resolved = settingsNow({ projectDir: project, env });
    const paths = projectPaths(project, promptFileIn(resolved), null);
    return projectItems(resolved, paths, createHost(project, env), true);
  } catch (error) {
    if (error instanceof RalphError) return null;
    throw error;
  }
}
