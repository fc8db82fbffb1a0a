import { existsSync, lstatSync } from "node:fs";
import { basename, join } from "node:path";
import ignored from "../../../templates/gitignore.txt" with { type: "text" };
import { RalphError } from "../../core/errors.ts";
import type { RalphEvent } from "../../core/journal/event.ts";
import { statThere } from "../files/stat-there.ts";
import type { Journal } from "../journal/journal.ts";
import type { ProjectGuard } from "../ports.ts";
import { checkRalphDir, type ProjectPaths, prepareRalphDir, RALPH_DIR } from "../project/project-paths.ts";
import type { Projections } from "../state-files/projections.ts";
import { moveIntoFolder } from "./displace.ts";
import { backUpFiles } from "./file-backups.ts";
import { createGitExclude } from "./git-exclude.ts";
import type { LostOutputs } from "./lost-outputs.ts";
import { createTamperGuard } from "./tamper-guard.ts";

export type ProjectGuardOptions = {
  paths: ProjectPaths;
  /** A text that replaces prompt and plan. */
  task: string | null;
  journal: Journal;
  projections: Projections;
  outputs: LostOutputs;
  /** The first line of a new journal if the old one is destroyed. */
  snapshot(): RalphEvent;
};

/** Guards the files of a project that an agent works on: undoes edits and restores deleted files. */
export function createProjectGuard(options: ProjectGuardOptions): ProjectGuard {
  const { paths, task, journal, projections, outputs, snapshot } = options;
  const backups = backUpFiles(neededFiles(paths, task), journal.dir);
  const guard = createTamperGuard({
    project: paths.project,
    prompt: task === null ? paths.prompt : null,
    settings: settingsPlaces(paths),
    runs: join(paths.ralph, "runs"),
    lock: join(paths.ralph, "lock"),
    control: join(paths.ralph, "control"),
    keep: join(journal.dir, "kept"),
    projections,
    repairJournal: () => journal.repair(snapshot),
  });
  const excludeFromGit = createGitExclude(paths.project, ignored);
  const ourFolder = () => reclaimRalphDir(paths);
  return {
    watch() {
      excludeFromGit();
      guard.watch();
    },
    repair: () => [...ourFolder(), ...restoreIgnoreFile(paths), ...guard.repair()],
    restoreLost() {
      ourFolder();
      const lost = [...(journal.restoreIfLost(snapshot) ? [journal.dir] : []), ...backups.restore()];
      outputs.restore();
      if (lost.length > 0) {
        prepareRalphDir(paths.ralph, ignored);
        projections.invalidate();
      }
      return lost;
    },
  };
}

/** @returns what was done */
function restoreIgnoreFile({ ralph }: ProjectPaths): string[] {
  if (!existsSync(ralph) || existsSync(join(ralph, ".gitignore"))) return [];
  try {
    prepareRalphDir(ralph, ignored);
    return [`${RALPH_DIR}/.gitignore (put back)`];
  } catch {
    return []; // whoever writes there next tells that it cannot be written
  }
}

/** Both places of a settings file: if one appears while the agent works, the agent made it. */
function settingsPlaces({ ralph, project }: ProjectPaths): string[] {
  return [join(ralph, ".ralphrc"), join(project, ".ralphrc")];
}

/**
 * Moves aside what replaced the project's `.ralph` folder: ralph writes to no other folder. Below `.ralph` it does not count
 * as progress.
 * @returns a description of what was found
 * @throws the file system's error if it cannot be seen
 */
function reclaimRalphDir({ project, ralph }: ProjectPaths): string[] {
  try {
    checkRalphDir(project);
    return [];
  } catch (error) {
    // A folder of the project's own that only cannot be looked at: a failing disk, or too many open files.
    if (!(error instanceof RalphError) && statThere(ralph, lstatSync)?.isDirectory() === true) throw error;
    return [
      `${RALPH_DIR} (no folder of the project; what was found is kept as ${RALPH_DIR}/${basename(moveIntoFolder(ralph))})`,
    ];
  }
}

function neededFiles(paths: ProjectPaths, task: string | null): string[] {
  const files = task === null ? [paths.prompt, paths.plan, paths.agent, paths.settings] : [paths.settings];
  return files.filter((path) => path !== null);
}
