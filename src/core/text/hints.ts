import { typedWord } from "./shell-words.ts";

/** The hint for a folder without a run. In one that is no project yet, that command says how it becomes one. */
export const START_RUN_HINT = "Start one with: ralph";

/** The hint of a command that steers a run, where none is live: it may be live in another folder. */
export const STEER_RUN_HINT = `See where one is live with: ralph ps. ${START_RUN_HINT}`;

/** The hints for a project without a plan, and without a prompt. */
export const WRITE_PLAN_HINT =
  "Make one with: ralph setup. Or write .ralph/@fix_plan.md: a list of boxes, `- [ ] task`.";
export const WRITE_PROMPT_HINT = "Write it, or name another with --prompt.";

/** The hint of a command that needs a project. */
export const NEEDS_PROJECT_HINT = "Name the project's folder with -C, or make it one with: ralph setup";

/** The hint in a folder that is no project and lies in one: a second one is hardly meant. */
export function projectAboveHint(project: string): string {
  return `This folder lies in the project ${project}: go there, or add -C ${typedWord(project)}`;
}
