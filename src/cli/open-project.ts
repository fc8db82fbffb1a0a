import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import ignored from "../../templates/gitignore.txt" with { type: "text" };
import type { RalphEvent } from "../core/journal/event.ts";
import type { State } from "../core/journal/state.ts";
import type { Journal } from "../effects/journal/journal.ts";
import {
  checkRalphDir,
  type ProjectPaths,
  prepareRalphDir,
  RALPH_DIR,
  readOptional,
  readRequired,
} from "../effects/project/project-paths.ts";
import { moveIntoFolder } from "../effects/protect/displace.ts";
import { backUpFiles } from "../effects/protect/file-backups.ts";
import { createGuard } from "../effects/protect/guard.ts";
import type { LostOutputs } from "../effects/protect/lost-outputs.ts";
import type { Projections } from "../effects/state-files/projections.ts";
import type { ProjectPort } from "../run/deps.ts";

export type OpenProject = {
  paths: ProjectPaths;
  /** A text that stands for prompt and plan. */
  task: string | null;
  journal: Journal;
  projections: Projections;
  outputs: LostOutputs;
  /** The run's first event. */
  started: RalphEvent;
  state(): State;
};

/** The project's files as the loop needs them: read anew each time, put back when they vanish, guarded against the agent. */
export function openProject({ paths, task, journal, projections, outputs, started, state }: OpenProject): ProjectPort {
  const kept = backUpFiles(neededFiles(paths, task), journal.dir);
  const again = () => startedAgain(started, state());
  const guard = createGuard({
    project: paths.project,
    prompt: task === null ? paths.prompt : null,
    settings: settingsPlaces(paths),
    runs: join(paths.ralph, "runs"),
    lock: join(paths.ralph, "lock"),
    keep: join(journal.dir, "kept"),
    projections,
    repairJournal: () => journal.repair(again),
  });
  const ourFolder = () => reclaimRalphDir(paths);
  return {
    watch: guard.watch,
    mend: () => [...ourFolder(), ...guard.repair()],
    reviewPrompt: () => readOptional(join(paths.ralph, "REVIEW_PROMPT.md")),
    prompt: () => task ?? readRequired(paths.prompt, "The prompt", "Write it, or name another with --prompt."),
    plan: () => (task === null ? readOptional(paths.plan) : null),
    isGone: () => !existsSync(paths.project),
    restoreLost() {
      ourFolder();
      const lost = [...(journal.restoreIfLost(again) ? [journal.dir] : []), ...kept.restore()];
      outputs.restore();
      if (lost.length > 0) {
        prepareRalphDir(paths.ralph, ignored);
        projections.invalidate();
      }
      return lost;
    },
  };
}

/** Both places of a settings file: one that appears while the agent works is the agent's. */
function settingsPlaces({ ralph, project }: ProjectPaths): string[] {
  return [join(ralph, ".ralphrc"), join(project, ".ralphrc")];
}

/**
 * Moves aside what stands in the place of `.ralph` and is no folder of the project's any more: ralph writes to no other.
 * Below `.ralph` it counts for no progress.
 * @returns what was found, in words
 */
function reclaimRalphDir({ project, ralph }: ProjectPaths): string[] {
  try {
    checkRalphDir(project);
    return [];
  } catch {
    return [
      `${RALPH_DIR} (no folder of the project; what was found is kept as ${RALPH_DIR}/${basename(moveIntoFolder(ralph))})`,
    ];
  }
}

/** The run's first event, as if it had begun with the state of now: the fold of this line alone is that state. */
function startedAgain(started: RalphEvent, state: State): RalphEvent {
  return started.type === "run_started" ? { ...started, seq: state.seq, state } : started;
}

function neededFiles(paths: ProjectPaths, task: string | null): string[] {
  const files = task === null ? [paths.prompt, paths.plan, paths.agent, paths.settings] : [paths.settings];
  return files.filter((path) => path !== null);
}
