import { truncate } from "../text/truncate.ts";

/** Maximum length of the notes, which are one block after the prompt (product.md "What the agent is told"). */
export const NOTES_MAX_CHARS = 4000;

/**
 * The notes as one block; null without any.
 * @param notes the missing parts of "done", gate output, findings, messages of the user; empty ones are left out
 */
export function noteBlock(notes: readonly string[]): string | null {
  const block = notes.filter((note) => note.trim() !== "").join("\n\n");
  return block === "" ? null : truncate(block, NOTES_MAX_CHARS);
}

/** The text for the agent: preamble, the prompt unchanged, then the block of notes. */
export function composePrompt(prompt: string, preamble: string | null, notes: string | null): string {
  const head = preamble === null || preamble === "" ? "" : `${preamble}\n\n`;
  if (notes === null) return head + prompt;
  return `${head}${prompt.replace(/\n?$/, "\n")}\n## Notes from ralph\n\n${notes}\n`;
}

/** Built-in prompt of `ralph "TEXT"`: the text is the plan. */
export function taskPrompt(task: string): string {
  return `${task.trim()}

Work in this folder until the task above is really done. Nobody can answer questions: when something is open, choose the
most careful reasonable way and say so. Look at what is there before you write, check what you changed by running it or
its tests, and keep what already works.

End every answer with this block, filled in truthfully:

---RALPH_STATUS---
STATUS: IN_PROGRESS | COMPLETE | BLOCKED
TASKS_COMPLETED_THIS_LOOP: 0 | 1
FILES_MODIFIED: <number>
TESTS_STATUS: PASSING | FAILING | NOT_RUN
WORK_TYPE: IMPLEMENTATION | TESTING | DOCUMENTATION | REFACTORING
EXIT_SIGNAL: false | true
RECOMMENDATION: <one line on what comes next>
---END_RALPH_STATUS---

EXIT_SIGNAL is true only when the whole task is done, its checks pass, and nothing meaningful is left to do.
`;
}
