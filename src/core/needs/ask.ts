import { type AgentQuestion, findQuestions } from "../answer/agent-questions.ts";
import type { AnswerParts } from "../answer/analysis.ts";
import type { Analysis } from "../answer/analysis-types.ts";
import type { Evidence } from "../journal/event.ts";
import { singleLine } from "../text/plain-text.ts";
import { truncate } from "../text/truncate.ts";

/** What an answer asks of a person: a question, a way out of what blocks it, or something that only a person can give. */
export type Ask = { kind: "question" | "blocked" | "request"; text: string };

/** Whole where there is room; a screen cuts it to its own. */
const TEXT_CHARS = 1000;

/** The next step on offer, or politeness: the loop goes on anyway, and nobody is needed. */
const OFFERS = [
  /\b(?:continue|proceed|go on|move on|start|begin|work on|tackle|implement|take)\b.{0,40}\b(?:next|remaining|rest|other|another|following)\b/i,
  /\blet me know if\b.{0,40}\b(?:questions?|anything|you(?:'d| would)? (?:need|want|like|prefer)|problems?|issues?|changes|further)\b/i,
];
/** Only an offer where work was done: without any, the agent waits for the answer. */
const OFFERS_AFTER_WORK = [
  /\b(?:continue|proceed|go on|go ahead|move on)\s*\?\W*$/i,
  /\b(?:like|want) me to\b|\b(?:should|shall) I also\b/i,
];

/** A recommendation is the agent's own next step, unless it names what a person has to do. */
const REQUESTS = [
  /^(?:please )?(?:allow|permit|grant|enable|approve)\b.*\b(?:access|permissions?|rights|sudo|network|bash|commands?|tools?)\b/i,
  /^(?:please )?(?:provide|supply|give me|send|share)\b.*\b(?:api[ -]?keys?|keys?|tokens?|credentials?|secrets?|passwords?|access|accounts?|licen[cs]es?)\b/i,
  /\bplease (?:allow|grant|approve|permit|provide|supply|confirm|decide|clarify|answer|choose|tell|advise|log in)\b/i,
  /\b(?:ask|tell|wait(?:ing)? for|awaiting) (?:the |a )?(?:user|human|maintainer|owner|operator|person|someone)\b/i,
  /\b(?:needs?|requires?|awaiting|waiting (?:for|on)) (?:an? |the |some |your )*(?:(?:user|human|maintainer|owner|person)(?:'s)? )?(?:inputs?|decisions?|approvals?|clarifications?|sign-?off|intervention)\b(?! (?:fields?|forms?|validation|handling|handlers?|elements?|boxes|box|page|screen|flow|workflow|table))/i,
  /\b(?:you|a human|a person|someone|the maintainer|the owner) (?:must|should|needs? to|has to|have to)\b/i,
  /\bthe user (?:must|should|needs? to|has to) (?:decide|approve|allow|grant|clarify|tell)\b/i,
];
/** "Needs no approval" asks for nothing. */
const NOTHING =
  /\b(?:no|not|nothing|without|n't)\b.{0,30}\b(?:inputs?|decisions?|approvals?|clarifications?|needed|required)\b/i;

/**
 * What a person has to answer after an iteration; null for nothing. A claim of done asks for nothing.
 * @param evidence of the iteration: after work, an offer to do more is no question
 */
export function findAsk(
  { questions }: Pick<AnswerParts, "questions">,
  analysis: Pick<Analysis, "status" | "recommendation" | "has_completion_signal" | "work_summary">,
  evidence: Pick<Evidence, "progress">,
): Ask | null {
  const asked = questions.filter((one) => !isOffer(one, evidence.progress)).map(({ written }) => written);
  const { status, recommendation, work_summary } = analysis;
  if (status === "BLOCKED") {
    const words = asked.filter((text) => recommendation?.includes(text) !== true);
    const all = recommendation === null ? words : [...words, recommendation];
    return ask("blocked", all.length === 0 ? [work_summary] : all);
  }
  if (analysis.has_completion_signal) return null;
  if (asked.length > 0) return ask("question", asked);
  return recommendation !== null && isRequest(recommendation) ? ask("request", [recommendation]) : null;
}

function ask(kind: Ask["kind"], parts: readonly string[]): Ask {
  const text = truncate(singleLine(parts.join(" ")), TEXT_CHARS);
  return { kind, text: text === "" ? "It says that it is blocked, and not by what." : text };
}

function isOffer({ text, foreign }: AgentQuestion, worked: boolean): boolean {
  // After work, one in another language is most likely an offer: nobody knows those by their words.
  if (worked && foreign === true) return true;
  return [...OFFERS, ...(worked ? OFFERS_AFTER_WORK : [])].some((offer) => offer.test(text));
}

function isRequest(recommendation: string): boolean {
  if (NOTHING.test(recommendation)) return false;
  if (REQUESTS.some((request) => request.test(recommendation))) return true;
  return findQuestions([recommendation]).some((one) => !isOffer(one, true));
}
