import { existsSync, mkdirSync, realpathSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeTemporaryFolder } from "../../effects/files/temporary-folder.ts";
import { isImportRemnant } from "../setup/import-remnant.ts";

/**
 * The folder that an agent reads in and that keeps its run's journal, until it is known whether anything is written.
 */
export type ImportWorkspace = {
  /** The project's folder, canonical. */
  project: string;
  /** Whether the journal stays after `cleanUp`. */
  isKept: boolean;
  /** Removes what the plan of files would mistake for the project's own. Call it once the agent has ended. */
  settle(): void;
  /** Removes what was made for the import: its `.ralph`, and the new folders that are empty. */
  cleanUp(): void;
};

/**
 * Opens the project's folder, and makes it if it is missing.
 * @param temporary uses a folder of its own, since nothing may change
 */
export function openImportWorkspace(dir: string, { temporary }: { temporary: boolean }): ImportWorkspace {
  if (temporary) {
    const project = makeTemporaryFolder("ralph-import-");
    return {
      project,
      isKept: false,
      settle: () => {},
      cleanUp: () => rmSync(project, { recursive: true, force: true }),
    };
  }
  const made: string[] = [];
  for (let folder = dir; !existsSync(folder); folder = dirname(folder)) made.push(folder);
  const isKept = hasOwnRalph(dir);
  mkdirSync(dir, { recursive: true });
  const project = realpathSync(dir);
  return {
    project,
    isKept,
    settle() {
      if (!isKept) rmSync(join(project, ".ralph", ".gitignore"), { force: true });
    },
    cleanUp() {
      if (isKept) return;
      rmSync(join(project, ".ralph"), { recursive: true, force: true });
      for (const folder of made) if (!removed(folder)) return;
    },
  };
}

/**
 * Whether a folder has a `.ralph` of its own. One left by a killed import is not: the next abandoned import removes it.
 */
export function hasOwnRalph(dir: string): boolean {
  const ralph = join(dir, ".ralph");
  return existsSync(ralph) && !isImportRemnant(ralph);
}

function removed(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false; // the folder is no longer empty
  }
}
