import { initialState } from "../core/journal/state.ts";
import { adoptLegacy } from "../core/state-files/legacy/adopt-legacy.ts";
import { readOldFiles } from "../effects/state-files/legacy-files.ts";
import type { ProjectState } from "./project-state.ts";

/** The state of a project without runs: what the originals' state files tell. */
export function adoptedState(project: string, ralph: string): ProjectState {
  const old = adoptLegacy(readOldFiles([ralph, project]), { now: Date.now(), driver: null });
  return { state: { ...initialState(project), ...old.state }, alive: false, damage: null };
}
