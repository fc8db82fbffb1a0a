import { join } from "node:path";
import { removeFile, writeFileAtomic } from "../files/atomic-write.ts";
import { versionOf } from "../files/file-version.ts";
import { MAX_TEXT_BYTES, readRegularIfThere } from "../files/regular-file.ts";
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
  const written = new Map<string, Written>();
  const edited = new Set<string>();

  function write(name: string, content: string | null): boolean {
    if (written.get(name)?.content === content) return true;
    const path = join(dir, name);
    const done = attempt(`${displayName}/${name}`, () =>
      content === null ? removeFile(path) : writeFileAtomic(path, content),
    );
    if (done) written.set(name, { content, version: versionOf(path) });
    return done;
  }

  function isEdited(name: string, { content, version }: Written): boolean {
    const path = join(dir, name);
    const isStill = version !== null && versionOf(path) === version;
    return !isStill && readContent(path) !== content;
  }

  function editedNames(): string[] {
    return [...written].filter(([name, last]) => isEdited(name, last)).map(([name]) => name);
  }

  return {
    write,
    checkEdits() {
      for (const name of editedNames()) edited.add(name);
    },
    repair() {
      const changed = editedNames();
      for (const name of changed) {
        const content = written.get(name)?.content ?? null;
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

/** What a file was made to be, null if it was removed, and its version then. */
type Written = { content: string | null; version: string | null };

/** null: no such file; undefined: unreadable, so not as it was written. */
function readContent(path: string): string | null | undefined {
  try {
    return readRegularIfThere(path, MAX_TEXT_BYTES)?.toString("utf8") ?? null;
  } catch {
    return undefined;
  }
}
