import { splitLines } from "../text/text-lines.ts";
import { isErrorStatement } from "./error-patterns.ts";
import { readStatus } from "./status-block.ts";

/** A CLI's last words after an answer, and a statement in the place of one, are this short. */
const LAST_LINES = 2;

/**
 * The lines of a plain answer that may state why its call failed. What the agent wrote is no error: with a status block none
 * of it, otherwise its last lines where they are a CLI's own statement (product.md "Limited").
 * @param lines of stdout, the newest last
 * @param answer the whole text
 */
export function errorLinesOfAnswer(lines: readonly string[], answer: string): string[] {
  if (readStatus(answer).block !== null) return [];
  return lines
    .filter((line) => line.trim() !== "")
    .slice(-LAST_LINES)
    .filter(isErrorStatement);
}

/**
 * What a CLI says instead of an answer: the whole text if it is nothing but such a statement, stderr if there is no text.
 * Null for an answer.
 */
export function statementInstead(answer: string, stderr: readonly string[]): string | null {
  const lines = splitLines(answer).filter((line) => line.trim() !== "");
  if (lines.length === 0) return stderr.length === 0 ? null : stderr.join("\n");
  return lines.length <= LAST_LINES && lines.slice(0, 1).every(isErrorStatement) ? answer : null;
}
