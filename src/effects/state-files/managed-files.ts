import { readFileSync } from "node:fs";
import { join } from "node:path";
import { removeFile, replaceFile } from "../files/atomic-write.ts";
import type { FirstFailure } from "./report-once.ts";

/** Files of ralph's that are only ever written as a whole; what else they hold, somebody else wrote. */
export type WholeSet = {
  /** Writes a file, or removes it (null), unless it was written so before. @returns whether it stands as it should */
  put(name: string, content: string | null): boolean;
  /** Remembers which files are not as they were written: they are about to be written over. */
  notice(): void;
  /** Puts back what is not as it was written; the names of those files, and of those that were noticed before. */
  mend(): string[];
  /** Nothing is known to stand any more: whatever is put next is written. */
  forget(): void;
};

/**
 * @param dir absolute folder of the files
 * @param shown how that folder is called in a failure
 */
export function createWholeSet(dir: string, shown: string, { attempt }: FirstFailure): WholeSet {
  const written = new Map<string, string | null>();
  const edited = new Set<string>();

  function put(name: string, content: string | null): boolean {
    if (written.get(name) === content) return true;
    const path = join(dir, name);
    const done = attempt(`${shown}/${name}`, () => (content === null ? removeFile(path) : replaceFile(path, content)));
    if (done) written.set(name, content);
    return done;
  }

  function foreign(): string[] {
    return [...written].filter(([name, content]) => contentOf(join(dir, name)) !== content).map(([name]) => name);
  }

  return {
    put,
    notice() {
      for (const name of foreign()) edited.add(name);
    },
    mend() {
      const changed = foreign();
      for (const name of changed) {
        const content = written.get(name) ?? null;
        written.delete(name);
        put(name, content);
      }
      const names = [...new Set([...edited, ...changed])];
      edited.clear();
      return names;
    },
    forget: () => written.clear(),
  };
}

/** null: there is no such file. What can't be read is not what was written. */
function contentOf(path: string): string | null | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? null : undefined;
  }
}
