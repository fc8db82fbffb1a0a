import { isTestHeavy } from "../decide/test-share.ts";
import type { State } from "../journal/state.ts";
import type { Settings } from "../settings/settings.ts";
import { branchLeftNote } from "./branch-left.ts";
import { noteBlock } from "./compose-prompt.ts";
import { type ContextInput, loopContext, workNote } from "./prompt-context.ts";
import { composeNotes } from "./prompt-notes.ts";

/** What an iteration's agent is told beside the prompt: the notes after it, and the context about the loop. */
export function workWords(
  state: State,
  settings: Settings,
  {
    number,
    plan,
    resumed,
    branchLeft = null,
  }: Pick<ContextInput, "number" | "plan" | "resumed"> & { branchLeft?: string | null },
): { notes: string | null; context: string } {
  return {
    // The least urgent comes last, where a full block is cut.
    notes: noteBlock([
      ...(branchLeft === null ? [] : [branchLeftNote(branchLeft)]),
      ...composeNotes(state, settings, plan),
      workNote(state, plan, resumed),
    ]),
    context: loopContext({
      number,
      plan,
      state,
      resumed,
      projectName: settings.PROJECT_NAME,
      isTestHeavy: isTestHeavy(state.trend, settings.TEST_PERCENTAGE_THRESHOLD),
    }),
  };
}
