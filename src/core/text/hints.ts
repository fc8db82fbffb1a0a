import { typedWord } from "./shell-words.ts";

/** The hint for a project without a run. */
export const START_RUN_HINT = "Start one with: ralph run (a new project first needs: ralph setup)";

/** The hint in a folder that is no project and lies in one: a second one is hardly meant. */
export function projectAboveHint(project: string): string {
  return `This folder lies in the project ${project}: go there, or add -C ${typedWord(project)}`;
}
