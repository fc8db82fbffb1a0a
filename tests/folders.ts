/** Folders that tests work in, by their real paths; they go after the tests of the file or group that asked for them. */
import { afterAll } from "bun:test";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A new folder. @param name what it is for, in a word */
export function testFolder(name: string): string {
  return testFolders(name)();
}

/** The same for tests of which each has its own: a new folder at each call. */
export function testFolders(name: string): () => string {
  const made: string[] = [];
  afterAll(() => {
    for (const folder of made) rmSync(folder, { recursive: true, force: true });
  });
  return () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), `ralph-${name}-`)));
    made.push(folder);
    return folder;
  };
}
