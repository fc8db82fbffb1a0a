import { readFileSync } from "node:fs";
import { join } from "node:path";
import { removeFile, writeFileAtomic } from "../files/atomic-write.ts";
import type { OnceReporter } from "./report-once.ts";

/** Files of ralph's that are only ever written as a whole; what else they hold, somebody else wrote. */
export type ManagedFiles = {
  /** Writes a file, or removes it (null), unless it was written so before. @returns whether it stands as it should */
  write(name: string, content: string | null): boolean;
  /** Remembers which files are not as they were written: they are about to be written over. */
  checkEdits(): void;
  /** Puts back what is not as it was written; the names of those files, and of those that were noticed before. */
  repair(): string[];
  /** Nothing is known to stand any more: whatever is put next is written. */
  invalidate(): void;
};

/**
 * @param dir absolute folder of the files
 * @param shown how that folder is called in a failure
 */
export function createManagedFiles(dir: string, shown: string, { attempt }: OnceReporter): ManagedFiles {
  const written = new Map<string, string | null>();
  const edited = new Set<string>();

  function put(name: string, content: string | null): boolean {
    if (written.get(name) === content) return true;
    const path = join(dir, name);
    const done = attempt(`${shown}/${name}`, () =>
      content === null ? removeFile(path) : writeFileAtomic(path, content),
    );
    if (done) written.set(name, content);
    return done;
  }

  function foreign(): string[] {
    return [...written].filter(([name, content]) => readContent(join(dir, name)) !== content).map(([name]) => name);
  }

  return {
    write: put,
    checkEdits() {
      for (const name of foreign()) edited.add(name);
    },
    repair() {
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
    invalidate: () => written.clear(),
  };
}

/** null: there is no such file. What can't be read is not what was written. */
function readContent(path: string): string | null | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? null : undefined;
  }
}
