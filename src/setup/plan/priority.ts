import type { Priority } from "./task.ts";

/** Words for urgency; the first row with a match decides (from the bash original, but as whole words). */
const WORDS: readonly (readonly [Priority, RegExp])[] = [
  ["high", /\b(?:critical|urgent|blocker|blocking|breaking|security|p0|p1|highest)\b/i],
  ["optional", /\b(?:nice[- ]to[- ]have|optional|won'?t have|future|stretch goal|could have)\b/i],
  ["low", /\b(?:later|p3|p4|low[- ]priority|minor|trivial)\b/i],
  ["high", /\b(?:important|must|needed|required|mandatory|p2)\b/i],
];

/** The urgency that a text states for itself; null if there is none. */
export function statedPriority(text: string): Priority | null {
  return WORDS.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}

/** The priority in labels: `P0` … `P4`, `priority: high`, or a word as above. */
export function labelPriority(labels: readonly string[]): Priority | null {
  for (const label of labels) {
    const level =
      /^(?:priority\s*[:/-]?\s*)?(?:p([0-9])|(critical|urgent|highest|high|medium|normal|low|lowest))$/i.exec(
        label.trim(),
      );
    if (level?.[1] !== undefined) return ofNumber(Number(level[1]));
    const word = level?.[2]?.toLowerCase();
    if (word !== undefined)
      return /^(?:critical|urgent|high)/.test(word) ? "high" : /^low/.test(word) ? "low" : "medium";
  }
  return null;
}

/** 0 and 1 are high, 2 is medium, 3 low, the rest optional. */
export function ofNumber(level: number): Priority {
  if (level <= 1) return "high";
  return level === 2 ? "medium" : level === 3 ? "low" : "optional";
}
