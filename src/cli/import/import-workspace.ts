import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isImportRemnant } from "../setup/import-remnant.ts";

/** The folder that an agent reads in, and that keeps its run's journal, before it is known whether anything is written. */
export type ImportWorkspace = {
  /** Canonical. */
  project: string;
  /** Whether the journal stays after `leave`. */
  isKept: boolean;
  /** Takes away what a plan of the files would take for the project's own. To be called when the agent has ended. */
  settle(): void;
  /** Takes away what was made for it: its `.ralph`, and the folders, as far as nothing else is in them. */
  cleanUp(): void;
};

/**
 * Makes the project's folder, if it is not there.
 * @param temporary a folder of its own, since nothing may change
 */
export function openImportWorkspace(dir: string, { temporary }: { temporary: boolean }): ImportWorkspace {
  if (temporary) {
    const project = realpathSync(mkdtempSync(join(tmpdir(), "ralph-import-")));
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

/** Whether a folder has a `.ralph` of its own: what an import left that was killed goes with the next that is left. */
export function hasOwnRalph(dir: string): boolean {
  const ralph = join(dir, ".ralph");
  return existsSync(ralph) && !isImportRemnant(ralph);
}

function removed(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch {
    return false; // somebody has put something into it
  }
}
