import { realpathSync } from "node:fs";
import { join } from "node:path";
import { containsPath } from "./contains-path.ts";
import { slashPath } from "./slash-path.ts";

/** The file of a folder to which a path in it leads through links, with forward slashes; null for the path itself, a way out, or none. */
export function fileBehind(folder: string, path: string): string | null {
  try {
    const root = realpathSync(folder);
    const file = realpathSync(join(root, path));
    const behind = containsPath(root, file) ? slashPath(root, file) : path;
    return behind === path ? null : behind;
  } catch {
    return null; // gone, or links in a circle
  }
}
