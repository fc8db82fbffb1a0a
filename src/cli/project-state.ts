import { existsSync } from "node:fs";
import { join } from "node:path";
import type { State } from "../core/journal/state.ts";
import { checkRalphDir } from "../effects/project/project-paths.ts";

export type ProjectState = {
  state: State;
  /** Whether the process of the newest run is still alive. */
  alive: boolean;
  /** The lines of the newest journal that could not be used, in a sentence; null for none. */
  damage: string | null;
};

/**
 * The last known state of a project: the newest journal folded, or else the originals' state files. The code for either is
 * large, and loaded only where it is needed.
 * @throws RalphError `environment` if `.ralph` is not a folder of the project
 */
export async function projectState(project: string): Promise<ProjectState> {
  const ralph = checkRalphDir(project);
  const recorded = existsSync(join(ralph, "runs"))
    ? (await import("./recorded-state.ts")).recordedState(project, ralph)
    : null;
  return recorded ?? (await import("./adopted-state.ts")).adoptedState(project, ralph);
}

/**
 * The state of the newest run that a new one could go on with: over a landing, which leaves the work before it as it was.
 * @param newest of the newest run
 * @throws RalphError `environment` if `.ralph` is not a folder of the project
 */
export async function stateToGoOnWith(project: string, newest: State): Promise<State> {
  if (newest.started_by !== "land") return newest;
  return (await import("./recorded-state.ts")).newestWork(project, checkRalphDir(project)) ?? newest;
}
