import { lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { isAlive } from "../process-tree/process-tree.ts";

/** Beginning of the name, before the pid of its ralph. */
const FOLDER = "ralph-way-";

/** A folder of this user's alone for what a run's sandbox needs outside. No agent can make or change a name in it. */
export type RunFolder = { path: string; remove(): void };

/** Makes one, and removes what a killed ralph of this user left. */
export function openRunFolder(): RunFolder {
  sweep();
  const path = mkdtempSync(join(tmpdir(), `${FOLDER}${process.pid}-`));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

function sweep(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(FOLDER) ? Number(name.slice(FOLDER.length).split("-")[0]) : 0;
    const path = join(tmpdir(), name);
    if (pid > 0 && !isAlive(pid, null) && lstatSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.())
      rmSync(path, { recursive: true, force: true });
  }
}
