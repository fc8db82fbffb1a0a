import type { Answer } from "../agent.ts";
import { gapSeen, look } from "../stranger.ts";
import { wordsOf } from "./speech/speech.ts";
import { agentOf, type State } from "./state.ts";

/**
 * What an agent answers that a peer asks to review the work and to mend what it finds, all in one session: it sees a fault as
 * a stranger does, and need not see what a program's output in the prompt names. The reviewers that it calls side by side cost
 * nothing here, which is in the peer's favour.
 * @returns null if the prompt asks for no review
 */
export function review(
  state: State,
  prompt: string,
  now: number,
): { answer: Answer; words: ReturnType<typeof wordsOf> } | null {
  const { project, memory, reviews } = state;
  if (reviews === null) return null;
  const marker = [reviews.looked, reviews.read].find((one) => prompt.includes(one));
  if (marker === undefined) return null;
  const looks = memory.calls + state.looks + 1;
  const seen = marker === reviews.looked ? gapSeen(project, looks) : null;
  const told = seen === null ? prompt : `not ok: task ${seen}`;
  if (!/not ok: task \d/.test(told)) {
    state.looks += 1;
    return { answer: look(project, looks), words: { text: `There is nothing to mend.\n\n${marker}`, ended: true } };
  }
  const answer = agentOf(state).call({ prompt: told, resume: null, now });
  const { text, ended } = wordsOf(answer, "", "all");
  return { answer, words: { text: text.trimEnd(), ended } };
}
