import { realPath } from "../files/path-kind.ts";
/** A read-only file system for isomorphic-git that also finds objects in alternates, which the library does not. */

import { promises as fs } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import { readRegularLater } from "../files/regular-file.ts";
import { readText } from "./read.ts";

/** @param commonDir of the repository: a linked worktree keeps its objects there; give the library the same folder */
export function createObjectFs(commonDir: string) {
  const objects = join(commonDir, "objects");
  const stores = withAlternates(objects);
  /** Where a path may be found, likeliest first. */
  const places = (path: string): string[] => {
    const name = relative(objects, path);
    return name.startsWith("..") || isAbsolute(name) ? [path] : stores.map((store) => join(store, name));
  };
  const first = async <T>(path: string, use: (place: string) => Promise<T>): Promise<T> => {
    let failure: unknown;
    for (const place of places(path)) {
      try {
        return await use(place);
      } catch (error) {
        failure ??= error;
      }
    }
    throw failure;
  };
  const readFile = async (place: string, encoding: BufferEncoding | undefined): Promise<Buffer | string> => {
    const bytes = await readRegularLater(place);
    return encoding === undefined ? bytes : bytes.toString(encoding);
  };
  const refuse = async (): Promise<never> => {
    throw Object.assign(new Error("ralph never writes here"), { code: "EROFS" });
  };
  return {
    promises: {
      readFile: (path: string, options?: BufferEncoding | { encoding?: BufferEncoding }) =>
        first(path, (place) => readFile(place, typeof options === "string" ? options : options?.encoding)),
      readdir: async (path: string) => {
        const lists = await Promise.allSettled(places(path).map((place) => fs.readdir(place)));
        const names = lists.flatMap((list) => (list.status === "fulfilled" ? list.value : []));
        const [main] = lists;
        if (main?.status === "rejected" && names.length === 0) throw main.reason;
        return [...new Set(names)];
      },
      stat: (path: string) => first(path, (place) => fs.stat(place)),
      lstat: (path: string) => first(path, (place) => fs.lstat(place)),
      readlink: (path: string) => first(path, (place) => fs.readlink(place)),
      writeFile: refuse,
      unlink: refuse,
      mkdir: refuse,
      rmdir: refuse,
      symlink: refuse,
      chmod: refuse,
    },
  };
}

/** As git does, which follows no longer chains of alternates. */
const MOST_ALTERNATES = 5;

/** The folder of a repository's objects and its alternates, recursively, each once by its real path. */
export function withAlternates(folder: string, seen: string[] = [], depth = 0): string[] {
  const real = realPath(folder);
  if (real === null || seen.includes(real) || depth > MOST_ALTERNATES) return seen;
  seen.push(real);
  for (const line of (readText(join(folder, "info", "alternates")) ?? "").split(/\r?\n/)) {
    if (line !== "" && !line.startsWith("#")) withAlternates(resolve(folder, line), seen, depth + 1);
  }
  return seen;
}
