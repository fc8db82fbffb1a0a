import { join } from "node:path";
import { removeFile, writeFileAtomic } from "../files/atomic-write.ts";
import { readRegularText } from "../files/regular-file.ts";
import type { OnceReporter } from "./report-once.ts";

/** Files that only ralph writes, always as a whole: any other content is a foreign edit. */
export type ManagedFiles = {
  /** Writes a file, or removes it (null), unless that is its last written content. @returns whether it is as it should be */
  write(name: string, content: string | null): boolean;
  /** Remembers which files were edited since they were written, before they are overwritten. */
  checkEdits(): void;
  /** Restores edited files. @returns their names, and those that `checkEdits` found */
  repair(): string[];
  /** Forgets what was written: the next write of each file takes place. */
  invalidate(): void;
};

/**
 * @param dir absolute folder of the files
 * @param displayName the folder's name in a failure message
 */
export function createManagedFiles(dir: string, displayName: string, { attempt }: OnceReporter): ManagedFiles {
  const written = new Map<string, string | null>();
  const edited = new Set<string>();

  function write(name: string, content: string | null): boolean {
    if (written.get(name) === content) return true;
    const path = join(dir, name);
    const done = attempt(`${displayName}/${name}`, () =>
      content === null ? removeFile(path) : writeFileAtomic(path, content),
    );
    if (done) written.set(name, content);
    return done;
  }

  function editedNames(): string[] {
    return [...written].filter(([name, content]) => readContent(join(dir, name)) !== content).map(([name]) => name);
  }

  return {
    write,
    checkEdits() {
      for (const name of editedNames()) edited.add(name);
    },
    repair() {
      const changed = editedNames();
      for (const name of changed) {
        const content = written.get(name) ?? null;
        written.delete(name);
        write(name, content);
      }
      const names = [...new Set([...edited, ...changed])];
      edited.clear();
      return names;
    },
    invalidate: () => written.clear(),
  };
}

/** null: no such file; undefined: unreadable, so not as it was written. */
function readContent(path: string): string | null | undefined {
  try {
    return readRegularText(path);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? null : undefined;
  }
}
