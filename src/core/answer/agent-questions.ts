import { splitSentences } from "./prose.ts";

/** A question to the user, with the number (from 1) of its line. */
export type AgentQuestion = { text: string; line: number };

/** Openings of the reference guide's list that are questions only in a sentence that asks. */
const ASKED =
  /\b(?:should I|shall I|would you|could you|do you (?:want|prefer)|which (?:approach|option)|(?:how|what) should|what do you think|your preference)\b/i;
/** Requests that need no question mark. */
const REQUESTED =
  /\b(?:can you clarify|please confirm|need(?:s)? clarification|(?:awaiting|waiting for)\b.{0,60}\b(?:input|response|reply|answer|confirmation|decision)|let me know (?:if|which|what|how|whether|your))\b/i;

/**
 * Questions that the agent asks the user (product.md 3: nobody is there to answer), at most one per sentence.
 * @param prose lines without code, quotes and status blocks (`proseOf`)
 */
export function findQuestions(prose: readonly string[]): AgentQuestion[] {
  return prose.flatMap((line, index) =>
    splitSentences(line)
      .filter((sentence) => REQUESTED.test(sentence) || (ASKED.test(sentence) && asks(sentence)))
      .map((sentence) => ({ text: sentence.trim(), line: index + 1 })),
  );
}

/** Nothing but closing marks comes after the last question mark. */
function asks(sentence: string): boolean {
  const mark = sentence.lastIndexOf("?");
  return mark >= 0 && !/\w/.test(sentence.slice(mark));
}
