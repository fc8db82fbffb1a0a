import type { Need } from "./needs/needs.ts";
import type { QuestionKind } from "./needs/questions.ts";
import type { Settings } from "./settings/settings.ts";
import { count } from "./text/count.ts";

/**
 * The words that several screens share, so that a thing has one name wherever it is shown. Those of the bounds and of the
 * breaker's counters are the labels in `stop/stop-reasons.ts`; the name of an end is its key there.
 */
export const NEEDS_YOU = "Needs you";

/** What a need is, after the word "iteration 3". */
export const NEED_WORDS: Record<Need["kind"], string> = {
  question: "asks",
  blocked: "is blocked",
  request: "asks for something",
  denied: "was denied",
  import: "open question of the document",
  gates: "weaker gates",
  limit: "limit without an end",
  git: "a git step",
};

/** What needs a person, on one line, at the moment when it came up. */
export function needsYou(kind: QuestionKind, text: string): string {
  return `${NEEDS_YOU}: ${kind === "denied" ? `the agent ${NEED_WORDS.denied} ${text}` : text}`;
}

/** Iterations in a row that changed nothing: `2 idle iterations`. */
export function idleIterations(n: number): string {
  return count(n, "idle iteration");
}

/** What gives the files back that an agent changed where there is no repository. */
export function filesBack({ CHECKPOINTS }: Pick<Settings, "CHECKPOINTS">): string {
  return CHECKPOINTS ? "only ralph undo gives files back" : "nothing gives files back";
}
