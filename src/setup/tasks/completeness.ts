/** How much detail an issue has, from 0 to 100, and the missing parts (from the bash original). */
export type Completeness = {
  score: number;
  level: "high" | "medium" | "low";
  missing: string[];
  recommendation: "convert" | "generate_plan";
};

const PARTS: readonly { name: string; weight: number; holds(text: string): boolean }[] = [
  {
    name: "acceptance_criteria",
    weight: 25,
    holds: (text) =>
      /^ {0,3}#{1,6}\s+.*acceptance criteria/im.test(text) || /\*\*[^*\n]*acceptance criteria[^*\n]*\*\*/i.test(text),
  },
  { name: "task_checklist", weight: 15, holds: (text) => /^\s*[-*+]\s+\[[ xX]\]/m.test(text) },
  { name: "code_examples", weight: 15, holds: (text) => /^\s*```/m.test(text) },
  { name: "technical_sections", weight: 15, holds: (text) => (text.match(/^##\s/gm)?.length ?? 0) >= 3 },
  {
    name: "implementation_guidance",
    weight: 15,
    holds: (text) =>
      /\b(?:implement|implementation|architecture|approach|steps?|technical|design|api|schema|endpoint|function)\b/i.test(
        text,
      ),
  },
  { name: "sufficient_detail", weight: 15, holds: (text) => text.split(/\s+/).filter(Boolean).length >= 150 },
];

/** @param threshold from 0 to 100; a text that reaches it is good enough to be taken over unchanged */
export function completenessOf(text: string, threshold = 60): Completeness {
  const missing = PARTS.filter((part) => !part.holds(text));
  const score = 100 - missing.reduce((sum, { weight }) => sum + weight, 0);
  return {
    score,
    level: score >= 80 ? "high" : score >= 40 ? "medium" : "low",
    missing: missing.map(({ name }) => name),
    recommendation: score >= threshold ? "convert" : "generate_plan",
  };
}
