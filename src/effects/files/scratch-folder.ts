import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder of its own below the system's temporary one, with folders in it. */
export type ScratchFolder = { path(name: string): string; write(name: string, text: string): void; remove(): void };

export function createScratchFolder(prefix: string, ...folders: string[]): ScratchFolder {
  const root = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
  for (const folder of folders) mkdirSync(join(root, folder));
  return {
    path: (name) => join(root, name),
    write: (name, text) => writeFileSync(join(root, name), text),
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}
