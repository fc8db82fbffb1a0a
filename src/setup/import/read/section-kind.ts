import { CONTEXT, CRITERIA, NEVER } from "./section-words.ts";

/**
 * A section's topic, judged by its title: exclusions (`never`), background (`context`), acceptance criteria, a list of
 * things to build, or one thing to build.
 */
export type SectionKind = "never" | "context" | "criteria" | "list" | "feature";

const NUMBERING = /^(?:(?:section|chapter|part)\s+)?(?:\d+(?:\.\d+)*[.):]?|(?:[ivx]+|[a-z])[.):])\s+(?=\S)/i;
const PICTOGRAM = /^(?:\p{Extended_Pictographic}|\u{fe0f}|\u{200d}|\p{Emoji_Modifier}|\s)+/u;

const LIST =
  /(?:^|\b)(?:features?|functionality|requirements?|tasks?|to-?dos?|user stories|stories|backlog|deliverables|capabilities|use cases|must[- ]haves?|should[- ]haves?|could[- ]haves?|nice[- ]to[- ]haves?|phase \w+|sprint \w+|milestone \w+|mvp|epic|work items?|high priority|medium priority|low priority|action items|checklist|implementation(?: plan| steps)?|optional|future enhancements?|stretch goals?|tickets?|issues|endpoints|(?:non[- ]?)?functional)\b/i;
/** "Feature: Sign in" is one thing. */
const ONE = /^(?:feature|(?:user )?story|requirement|task|use case)\s*:\s*(?=\S)/i;
const PLAIN_LIST =
  /^(?:(?:core|key|main|new|planned|functional|open|my) )?(?:features?|requirements?|tasks?|to-?dos?|backlog|user stories|stories|ideas)(?: list)?\s*:?$/i;
/** Exclusions, whatever follows: "Out of scope for v1", "Ideas for later". */
const LEFT_OUT =
  /^(?:(?:explicitly |currently )?(?:out[ -]of|outside|beyond)(?: the)?[ -]scope|not (?:in scope|now|yet|planned|included)|won['’]?t[ -](?:have|do|build)|non[- ]?goals?|(?:ideas|features|things|plans|maybe) for (?:later|the future|v\d))\b/;
/** What is not decided. A word behind it may make it a thing: "Open issues list", "Parking lot gates". */
const UNDECIDED =
  /^(?:(?:open|unresolved|unanswered) (?:points?|questions?|topics?|issues|decisions?)|parking lot|deferred|postponed)(?:$|\W+$|[,:–—-]| [–—-]| (?:and|for|in|of|on|to|with|about|before|after)\b)/;
const APPENDIX = /^(?:appendix|annex)\b/i;

/** A title without its pictogram and chapter number, whichever comes first. */
export function unnumbered(title: string): string {
  return title.replace(PICTOGRAM, "").replace(NUMBERING, "").replace(PICTOGRAM, "").trim();
}

/** Whether a title names a step of the order of work: "Milestone 2", "M1: Walking skeleton", "Phase one". */
export function isMilestone(title: string): boolean {
  return /^(?:(?:milestone|phase|sprint|iteration|stage)\s+(?:\d+|[ivx]+|one|two|three|four|five|six)|M\d{1,2}(?=\s*(?:$|[:–—-])))(?!\w)/i.test(
    title.replace(PICTOGRAM, "").replace(/^\d+(?:\.\d+)*[.)]?\s+/, ""),
  );
}

/** The name of the thing in a title. */
export function nameOfTitle(title: string): string {
  return unnumbered(title).replace(ONE, "").trim();
}

/** Whether a title announces a list of work and nothing else: a name may contain the same words. */
export function isPlainList(title: string): boolean {
  return PLAIN_LIST.test(unnumbered(title));
}

/** Whether a section lists what is not decided, for a person to answer. */
export function asksQuestions(title: string): boolean {
  return (
    /^(?:(?:open|unresolved|unanswered) |questions\b|to be (?:decided|clarified)|tbd\b)/i.test(unnumbered(title)) &&
    sectionKind(title) === "never"
  );
}

export function sectionKind(title: string): SectionKind {
  const name = unnumbered(title)
    .toLowerCase()
    .replace(/\s*\(.*\)$/, "")
    .replace(/[\s:.!?：]+$/, "");
  if (APPENDIX.test(name)) return "context";
  const kind = kindFromName(name);
  if (kind !== null) return kind;
  if (ONE.test(name)) return "feature";
  const parts = name.split(/\s*(?:&|\/|,|\+|\sand\s)\s*/).map(kindFromName);
  // "Goals and non-goals" as a whole is background; its parts may be requirements.
  if (parts.length > 1 && parts.every((part) => part === "never" || part === "context" || part === "criteria"))
    return parts.every((part) => part === "never") ? "never" : parts.includes("context") ? "context" : "criteria";
  if (/^scenario(?: outline)?\b/.test(name)) return "criteria";
  return LIST.test(name) || isMilestone(title) ? "list" : "feature";
}

function kindFromName(name: string): SectionKind | null {
  if (NEVER.has(name) || LEFT_OUT.test(name) || UNDECIDED.test(name)) return "never";
  if (CRITERIA.has(name)) return "criteria";
  return CONTEXT.has(name) ? "context" : null;
}
