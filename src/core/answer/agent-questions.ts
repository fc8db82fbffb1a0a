import { splitSentences } from "./prose.ts";

/** A question to the user, with the number of its line (from 1). */
export type AgentQuestion = { text: string; line: number };

/** Phrases from the reference guide's list that count only in a sentence with a question mark. */
const ASKED =
  /\b(?:should I|shall I|would you|could you|do you (?:want|prefer)|which (?:approach|option)|(?:how|what) should|what do you think|your preference)\b/i;
/** Requests that need no question mark. */
const REQUESTED =
  /\b(?:can you clarify|please confirm|need(?:s)? clarification|(?:awaiting|waiting for)\b.{0,60}\b(?:input|response|reply|answer|confirmation|decision)|let me know (?:if|which|what|how|whether|your))\b/i;

/**
 * Finds the agent's questions to the user, at most one per sentence. During a run no user answers them (product.md
 * "Stuck").
 * @param prose lines without code, quotes and status blocks (`extractProse`)
 */
export function findQuestions(prose: readonly string[]): AgentQuestion[] {
  return prose.flatMap((line, index) =>
    splitSentences(line)
      .filter((sentence) => REQUESTED.test(sentence) || (ASKED.test(sentence) && asks(sentence)))
      .map((sentence) => ({ text: sentence.trim(), line: index + 1 })),
  );
}

/** Whether only closing marks follow the last question mark. */
function asks(sentence: string): boolean {
  const mark = sentence.lastIndexOf("?");
  return mark >= 0 && !/\w/.test(sentence.slice(mark));
}
