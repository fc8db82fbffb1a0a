import { splitSentences } from "./prose.ts";

/** A phrase that announces completion, with the number of its line (from 1). */
export type CompletionPhrase = { confidence: number; phrase: string; line: number };

/** The confidence at which a phrase is a completion indicator (product.md "Done"). */
export const INDICATOR_CONFIDENCE = 60;

const THINGS =
  "(?:tasks?|items?|to-?dos?|stories|requirements?|features?|phases|boxes|steps|work|(?:acceptance )?criteria)";
const ENDED = "(?:completed?|done|finished|implemented|closed|ticked|checked|addressed|met|satisfied|delivered)";
const IS = "(?:(?:is|are|was|were|has|have|been|now|all|fully|successfully|also)\\s+){0,4}";
const WHERE = "(?:(?:in|on|of|from)\\s+(?:the\\s+|this\\s+)?[@\\w./-]{1,40}\\s+(?:plan\\s+|list\\s+|file\\s+)?)?";
const WHICH =
  "(?:(?:of|the|our|my|your|remaining|planned|open|listed|required|blocking|outstanding|\\d{1,4})\\s+){0,4}";

/** Claims about the whole reach the indicator's threshold; words about one piece of work never do. */
const PHRASES: readonly (readonly [number, RegExp])[] = [
  [80, words(`(?:all|every)\\s+${WHICH}${THINGS}\\s+${WHERE}${IS}${ENDED}`)],
  [80, words(`(?:project|application|(?:fix\\s+)?plan)\\s+${IS}(?:completed?|done|finished)`)],
  [70, words(`everything\\s+${WHERE}${IS}${ENDED}`)],
  [70, words("nothing\\s+(?:(?:else|more|meaningful)\\s+)?(?:is\\s+)?left\\s+to\\s+(?:do|implement|build)")],
  [70, words(`no\\s+(?:(?:open|more|further|other)\\s+)?${THINGS}\\s+(?:(?:is|are)\\s+)?(?:left|remain(?:s|ing)?)`)],
  [60, words("ready\\s+for\\s+(?:(?:final|code|your)\\s+)?review")],
  [30, words("nothing\\s+to\\s+do")],
  [20, words("no\\s+changes|already\\s+implemented|completed?|finished|done")],
  [15, words("up\\s+to\\s+date")],
];

const NEGATED =
  /\b(?:not|never|no longer|none|cannot|without|hardly|almost|nearly|partially|mostly|far from|isn|aren|wasn|weren|hasn|haven|don|doesn|didn|can|won|will|would|should|shall|must|to be|to get|ensure|make sure|doubts?|deny|denies|denied|disputes?|false|wrong|untrue|untruth|lie|premature|nobody|no one|no way|unlikely|todo|goals?|aim|wants?|wish|hope|next|get)\b/i;
/** Signs of a quotation from someone else. */
const REPORTED = /\b(?:says|said|claims|claimed|states|stated|wrote|writes|pretends|asserts|according to)\b/i;
const CONDITIONAL =
  /\b(?:if|once|when|whenever|until|till|unless|before|whether|as soon as|after|assuming|suppose|supposing|provided)\b/i;
/** Words that revoke a claim: an exception, an assessment, an incomplete count, a question. */
const EXCEPT =
  /\b(?:except|apart from|other than|besides|but|however|although|though|yet to|in theory|supposedly)\b|\b(?:is|was|would be|are) (?:\w{1,12} ){0,2}(?:lie|false|wrong|untrue|premature|not true|incorrect)\b|^\s*[:=]\s*(?:false|no|not|never|0)\b|^\s*\(?\d{1,3} ?%|\?\s*$/i;
const PART = /\b\d{1,4}\s+(?:of|out of)\s+\d{1,4}\b/i;
/** A negation further away than this belongs to something else. */
const NEGATION_REACH = 6;

/**
 * The strongest phrase of completion in the agent's own words; null if there is none. Matches whole words, and skips
 * claims that are negated, conditional, in the future, questions, or followed by an exception.
 * @param prose lines without code, quotes and status blocks (`extractProse`)
 */
export function completionPhrase(prose: readonly string[]): CompletionPhrase | null {
  let best: CompletionPhrase | null = null;
  for (const [index, line] of prose.entries()) {
    for (const sentence of splitSentences(line)) {
      const hit = strongestIn(sentence, best?.confidence ?? 0);
      if (hit !== null) best = { ...hit, line: index + 1 };
    }
  }
  return best;
}

function strongestIn(sentence: string, above: number): { confidence: number; phrase: string } | null {
  for (const [confidence, pattern] of PHRASES) {
    if (confidence <= above) return null;
    const match = pattern.exec(sentence);
    if (match === null) continue;
    const before = sentence.slice(0, match.index);
    const after = sentence.slice(match.index + match[0].length);
    // A denied claim ("not all tasks are done") denies the weaker words inside it too.
    return isClaimed(before, after) && !PART.test(match[0]) ? { confidence, phrase: match[0] } : null;
  }
  return null;
}

function isClaimed(before: string, after: string): boolean {
  const near = before.trimEnd().split(/\s+/).slice(-NEGATION_REACH).join(" ");
  return !NEGATED.test(near) && !REPORTED.test(near) && !CONDITIONAL.test(before) && !EXCEPT.test(after);
}

function words(source: string): RegExp {
  return new RegExp(`(?<![\\w-])(?:${source})(?![\\w-])`, "i");
}
