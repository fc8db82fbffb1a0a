import { isAbsolute, join } from "node:path";
import process from "node:process";
import type { EnvVars } from "../../core/env-vars.ts";
import type { Host } from "../../driver.ts";

/** What tells where a user's folders are. */
export type User = Pick<Host, "platform" | "env" | "home">;

/** The home that container engines give a user whom the system does not know. */
const HOME_OF_NOBODY = "/";

/**
 * The user's home folder. HOME comes first on Windows too, as in git; an empty value is ignored. `node:os` is seldom asked, so it
 * is loaded then.
 */
export function homeFolder({ HOME, USERPROFILE }: EnvVars): string {
  return HOME || USERPROFILE || homeOfSystem();
}

function homeOfSystem(): string {
  try {
    return process.getBuiltinModule("node:os").homedir();
  } catch {
    return HOME_OF_NOBODY; // a container may run under any number
  }
}

/** The folder of the user's decisions for all projects: drivers, and which project drivers are trusted. */
export function configFolder({ platform, env, home }: User): string {
  if (platform === "win32") return join(env.APPDATA || join(home, "AppData", "Roaming"), "ralph");
  if (platform === "darwin") return join(home, "Library", "Application Support", "ralph");
  // A relative path there must be ignored (XDG Base Directory Specification).
  const named = env.XDG_CONFIG_HOME ?? "";
  return join(isAbsolute(named) ? named : join(home, ".config"), "ralph");
}

/** Where a user's programs keep what they did. */
export function stateFolder({ platform, env, home }: User): string {
  if (platform === "win32") return join(env.LOCALAPPDATA || join(home, "AppData", "Local"), "ralph");
  if (platform === "darwin") return join(home, "Library", "Application Support", "ralph");
  // A relative path there must be ignored (XDG Base Directory Specification).
  const named = env.XDG_STATE_HOME ?? "";
  return join(isAbsolute(named) ? named : join(home, ".local", "state"), "ralph");
}
