import { relative, sep } from "node:path";

/** The way from a folder to a path, with forward slashes on every system: as git, the journal and the screens have it. */
export function slashPath(folder: string, path: string): string {
  return relative(folder, path).split(sep).join("/");
}
