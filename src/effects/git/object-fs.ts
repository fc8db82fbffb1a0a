/** The read-only file system that isomorphic-git gets: it knows linked worktrees and alternates, which the library does not. */
import { promises as fs } from "node:fs";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import { textOf } from "./read.ts";
import type { Repository } from "./repository.ts";

/** isomorphic-git holds a whole pack in memory to read one object of it. */
const MAX_PACK_BYTES = 512 * 1024 * 1024;
const OWN_FILES = new Set([
  "HEAD",
  "ORIG_HEAD",
  "FETCH_HEAD",
  "MERGE_HEAD",
  "index",
  "config.worktree",
  `logs${sep}HEAD`,
]);
const OWN_FOLDERS = ["bisect", "worktree", "rewritten"].map((name) => join("refs", name) + sep);

export function createObjectFs(repository: Repository) {
  const objectFolders = withAlternates(join(repository.commonDir, "objects"));
  /** The places in which a path of the gitdir may be found, the likeliest first. */
  const places = (path: string): string[] => {
    const inGitDir = relative(repository.gitDir, path);
    if (inGitDir.startsWith("..") || isAbsolute(inGitDir)) return [path];
    if (inGitDir === "objects" || inGitDir.startsWith(`objects${sep}`)) {
      return objectFolders.map((folder) => join(folder, relative("objects", inGitDir)));
    }
    const own = OWN_FILES.has(inGitDir) || OWN_FOLDERS.some((folder) => inGitDir.startsWith(folder));
    return [path];
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
  const refuse = async (): Promise<never> => {
    throw Object.assign(new Error("ralph never writes here"), { code: "EROFS" });
  };
  return {
    promises: {
      readFile: (path: string, options?: BufferEncoding | { encoding?: BufferEncoding }) =>
        first(path, async (place) => {
          if (place.endsWith(".pack") && (await fs.stat(place)).size > MAX_PACK_BYTES)
            throw new Error("pack too large");
          const encoding = typeof options === "string" ? options : options?.encoding;
          return encoding === undefined ? fs.readFile(place) : fs.readFile(place, encoding);
        }),
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

/** The folder and those that its info/alternates names, and theirs; each once. */
function withAlternates(folder: string, seen: string[] = []): string[] {
  if (seen.includes(folder)) return seen;
  seen.push(folder);
  for (const line of (textOf(join(folder, "info", "alternates")) ?? "").split(/\r?\n/)) {
    if (line !== "" && !line.startsWith("#")) withAlternates(resolve(folder, line), seen);
  }
  return seen;
}
