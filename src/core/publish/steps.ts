/** When the git steps of a run are due. */
import { callWait, type DecideSettings } from "../decide/decide.ts";
import { gateCommands } from "../decide/gate-rules.ts";
import type { State } from "../journal/state.ts";
import type { Settings } from "../settings/settings.ts";
import { reachedBound } from "../stop/bounds.ts";

export type StepSettings = Pick<Settings, "COMMIT" | "REBASE_ON" | "PUSH" | "TAG">;

/** Whether a run has git steps, or has to give up a rebase that a kill left of one. */
export function hasGitSteps(settings: StepSettings, { publish }: Pick<State, "publish">): boolean {
  return wantsGitSteps(settings) || publish.rebase !== null;
}

/** Whether any of them is on. */
export function wantsGitSteps({ COMMIT, REBASE_ON, PUSH, TAG }: StepSettings): boolean {
  return COMMIT || REBASE_ON !== null || PUSH !== null || TAG !== null;
}

/** What the gates say about the work as it is: `unknown` where some are set and have not run on it. */
export function gatesSay({ gates, looks }: State, settings: Settings): "none" | "green" | "red" | "unknown" {
  const wanted = gateCommands(settings);
  if (wanted.length === 0 && looks.gaps.length === 0 && settings.HIDDEN_GATES.length === 0) return "none";
  if (gates.some(({ ok, unrun }) => !ok && unrun !== true)) return "red";
  const ran = new Set(gates.flatMap(({ command, unrun }) => (unrun === true ? [] : [command])));
  return ran.size > 0 && wanted.every((command) => ran.has(command)) ? "green" : "unknown";
}

/** Whether an agent may be called for a conflict now: bounds, budgets and stops hold; it is no iteration. */
export function mayCall(state: State, settings: DecideSettings, now: number): boolean {
  if (state.stop_requested !== null || reachedBound(state, { ...settings, MAX_ITERATIONS: null }, now) !== null)
    return false;
  return callWait(state, settings, now) === null;
}
