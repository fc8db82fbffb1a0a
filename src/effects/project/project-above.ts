import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { isRalphProject } from "./project-paths.ts";

/**
 * The Ralph project that a folder which is none itself lies in, at most at the root of its repository; null for none. What stands in
 * the user's own folder is no project of all that lies below it.
 */
export function projectAbove(folder: string, home: string): string | null {
  if (isRalphProject(folder)) return null;
  for (let below = folder; ; ) {
    const above = dirname(below);
    if (above === below || above === home || existsSync(join(below, ".git"))) return null;
    if (isRalphProject(above)) return above;
    below = above;
  }
}
