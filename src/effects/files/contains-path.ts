import { isAbsolute, relative, sep } from "node:path";

/** Whether `path` lies in `folder` or is it, by their names: both absolute. */
export function containsPath(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
}
