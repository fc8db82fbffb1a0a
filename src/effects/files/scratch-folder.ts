import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeTemporaryFolder } from "./temporary-folder.ts";

/** A new folder in the system's temporary folder. */
export type ScratchFolder = { path(name: string): string; write(name: string, text: string): void; remove(): void };

export function createScratchFolder(prefix: string, ...folders: string[]): ScratchFolder {
  const root = makeTemporaryFolder(prefix);
  for (const folder of folders) mkdirSync(join(root, folder));
  return {
    path: (name) => join(root, name),
    write: (name, text) => writeFileSync(join(root, name), text),
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}
