import type { ReviewState } from "../decide/review-state.ts";
import { count } from "../text/count.ts";
import { truncate } from "../text/truncate.ts";

const FILES_CHARS = 500;

const TASK = `# Review

Judge the newest work in this project as a strict colleague would who has to maintain it. You can only read; change
nothing. Another call will mend what you find.

Look at the files that changed and at what they touch. Ask of them: do they do what the plan and the specifications in
\`.ralph/\` want; what breaks at the edges (empty, huge, concurrent, failing); is something claimed as done that is not,
stubbed, or untested; is there code that endangers data or secrets? Name only what you have checked in the source, no
matters of taste. Nothing to find is a good answer.
`;

const FORMAT = `## How to answer

End with this block: one JSON object between the two marker lines. \`severity\` is the worst one found (LOW, MEDIUM, HIGH
or CRITICAL).

---REVIEW_FINDINGS---
{"severity": "LOW", "issues_found": 0, "summary": "one or two sentences", "details": [{"severity": "LOW", "file": "path", "line": 1, "issue": "what is wrong", "suggestion": "how to fix it"}]}
---END_REVIEW_FINDINGS---
`;

/**
 * The prompt of a review: the project's own `.ralph/REVIEW_PROMPT.md` or ralph's, with the answer format if it lacks
 * one.
 * @param own text of the project's file; null if there is none
 * @param files paths that changed since the previous review
 */
export function reviewPrompt(own: string | null, files: readonly string[]): string {
  const task = own === null || own.trim() === "" ? TASK : own;
  const changed =
    files.length === 0 ? "" : `\n${truncate(`Changed since the last review: ${files.join(", ")}`, FILES_CHARS)}\n`;
  const whole = `${task.replace(/\n*$/, "\n")}${changed}`;
  return task.includes("---REVIEW_FINDINGS---") ? whole : `${whole}\n${FORMAT}`;
}

/** Facts for a review, perhaps as an argument (`loopContext`): how much changed since the previous one. */
export function reviewContext({ files, commits }: Pick<ReviewState, "files" | "commits">): string {
  return `Review, nobody reads along. Since the last one ${count(files.length, "file")} changed in ${count(commits.length, "commit")}.`;
}
