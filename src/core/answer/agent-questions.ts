import { splitSentences, writtenSentences } from "./prose.ts";

/**
 * A question to the user, with the number of its line (from 1): `text` is what rules read of it, `written` how the agent put
 * it; `foreign`: in another language, known by its place alone.
 */
export type AgentQuestion = { text: string; written: string; line: number; foreign?: true };

/** Phrases from the reference guide's list that count only in a sentence with a question mark. */
const ASKED =
  /\b(?:should I|shall I|would you|could you|do you (?:want|prefer)|which (?:approach|option)|(?:how|what) should|what do you think|your preference)\b/i;
/** Requests that need no question mark. */
const REQUESTED =
  /\b(?:can you clarify|please confirm|need(?:s)? clarification|(?:awaiting|waiting for)\b.{0,60}\b(?:input|response|reply|answer|confirmation|decision)|(?:awaiting|waiting (?:for|on)) your\b|let me know (?:if|which|what|how|whether|your))\b/i;

/**
 * What addresses a person in the last words of an answer, where nothing answers the question any more: permission, the person,
 * a choice, or a fact that no file of a project holds.
 */
const CLOSING = [
  /\b(?:may|can|should|shall|must|could) (?:I|we)\b|\bam I (?:allowed|to)\b/i,
  /\b(?:do|can|could|will|would|may|are|have|did) you\b|\b(?:is|are|was) your\b/i,
  /(?:^|[:;,–—-]\s+)(?:(?:and|but|so) )?(?:which|who)\b/i,
  /\b(?:what|where) (?:is|are) (?:the|your) (?:(?!of\b|in\b|for\b)[\w'-]+ ){0,2}(?:(?:api|access|secret|licen[cs]e)[ -]keys?|token|credentials?|passwords?|passphrases?|user ?name|accounts?|e-?mails?|url|endpoint|hostname|domain|licen[cs]e|price|budget|currency|deadline)(?= (?:of|for|to|on|in|at|that|I|we)\b|\W*$)/i,
];
/** As the last words these ask for leave or a choice too, the second without a question mark. */
const LEAVE =
  /\b(?:is|are|would) (?:it|that|this|these) (?:be )?(?:ok|okay|fine|all ?right|acceptable)\b|^\W*(?:(?:ok|okay|ready|safe) (?:for me )?to\b|proceed\s*\?)/i;
const WANTED =
  /^\W*(?:please (?:choose|decide|advise|clarify|provide|supply|grant|approve|tell me)|tell me (?:which|what|whether|how)|I(?:'ll| will)? need (?:you to|your))\b|\b(?:can.?t|cannot|won.?t|not) \w{1,12} (?:on |further )?without your\b/i;
/** Such a sentence goes on with the work, or only sounds like a question. */
const RHETORICAL =
  /\b(?:anything|something|what|who|where) else\b|\bhow (?:can|may|could) I help\b|\bwhat (?:can|could|should) (?:I|we) (?:do|say)\b|\bwho (?:knows|cares|would have|else)\b/i;

/** Words that next to every question in English has one of, and few other languages. */
const ENGLISH =
  /\b(?:the|this|that|these|those|with|and|what|which|who|how|why|when|where|should|shall|can|could|would|may|does|have|has|there|from|it|its|you|your|any|is)\b/i;
const LEAST_WORDS = 3;

/**
 * Finds the agent's questions to the user, at most one per sentence. During a run no user answers them (product.md
 * "Stuck"). Where an answer ends with questions, less is needed to see that they are for a person.
 * @param prose lines without code, quotes and status blocks (`extractProse`)
 * @param written the same lines with code and quotes
 */
export function findQuestions(prose: readonly string[], written: readonly string[] = prose): AgentQuestion[] {
  const sentences = prose.flatMap((line, index) =>
    splitSentences(line).map((text, nth) => ({ text, line: index + 1, nth })),
  );
  const end = sentences.findLastIndex(({ text }) => LETTER.test(text) && !isClosing(text));
  // Once a line, which may hold a hundred of them.
  let [of, whole]: [number, string[]] = [0, []];
  const writtenOf = (line: number) => {
    if (of !== line) [of, whole] = [line, writtenSentences(written[line - 1] ?? "")];
    return whole;
  };
  return sentences
    .filter(({ text }, index) => isQuestion(text) || (index > end && isClosing(text)))
    .map(({ text, line, nth }) => ({
      text: text.trim(),
      written: writtenOf(line)[nth] ?? text.trim(),
      line,
      ...(isQuestion(text) || addresses(text) ? {} : { foreign: true }),
    }));
}

function isQuestion(sentence: string): boolean {
  return REQUESTED.test(sentence) || (ASKED.test(sentence) && asks(sentence));
}

function isClosing(sentence: string): boolean {
  if (RHETORICAL.test(sentence)) return false;
  return addresses(sentence) || (asks(sentence) && isForeign(sentence));
}

function addresses(sentence: string): boolean {
  return WANTED.test(sentence) || (asks(sentence) && [LEAVE, ...CLOSING].some((address) => address.test(sentence)));
}

/** Whether a question is in another language than English: no wordings tell there whom it addresses, only its place. */
function isForeign(sentence: string): boolean {
  if (ENGLISH.test(sentence)) return false;
  return OTHER_SCRIPT.test(sentence) || (sentence.match(/\p{L}+/gu) ?? []).length >= LEAST_WORDS;
}

const LETTER = /[\p{L}\p{N}_]/u;
const OTHER_SCRIPT = /(?!\p{Script=Latin})\p{L}/u;

/** Whether only closing marks follow the last question mark. */
function asks(sentence: string): boolean {
  const mark = Math.max(...[..."?？؟"].map((one) => sentence.lastIndexOf(one)));
  return mark >= 0 && !LETTER.test(sentence.slice(mark));
}
