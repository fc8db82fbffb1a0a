import { isAbsolute, join } from "node:path";
import type { Host } from "../../driver.ts";

/** The folder of the user's decisions for all projects: drivers, and which project drivers are trusted. */
export function configFolder({ platform, env, home }: Pick<Host, "platform" | "env" | "home">): string {
  if (platform === "win32") return join(env.APPDATA || join(home, "AppData", "Roaming"), "ralph");
  if (platform === "darwin") return join(home, "Library", "Application Support", "ralph");
  // A relative path there must be ignored (XDG Base Directory Specification).
  const named = env.XDG_CONFIG_HOME ?? "";
  return join(isAbsolute(named) ? named : join(home, ".config"), "ralph");
}
