import { labelPriority, statedPriority } from "../../plan/priority.ts";
import type { Priority } from "../../plan/task.ts";
import { plainTitle } from "../formats/inline.ts";
import { unnumbered } from "./section-kind.ts";

/** The urgency of a task; `never` if the document excludes it. */
export type Urgency = Priority | "never";

const NEVER = /^(?:w|won['’]?t\b.*|will not have|out of scope|never)$/i;
const HIGH = /^(?:m|h|essential|must)$/i;
const MEDIUM = /^(?:s|should(?: have)?)$/i;
const LOW = /^(?:c|l|could(?: have)?|desirable)$/i;

/** The urgency in a table cell, or in the value of "Priority: …". */
export function statedUrgency(text: string): Urgency | null {
  const value = plainTitle(text)
    .replace(/^[^\p{L}\p{N}]+/u, "")
    .trim();
  if (NEVER.test(value)) return "never";
  const short = value.split(/\s*[(/,;|·–—-]\s*/, 1)[0] ?? "";
  return (
    labelPriority([short]) ??
    (HIGH.test(short) ? "high" : MEDIUM.test(short) ? "medium" : LOW.test(short) ? "low" : null) ??
    (/^should\b/i.test(value) ? "medium" : /^could\b/i.test(value) ? "low" : statedPriority(value))
  );
}

/**
 * The urgency in a tag that is separate from the sentence: `(P1)`, `[must]`, `P1: x`, `Priority: high`. A "must" within
 * the sentence is only grammar.
 */
export function taggedUrgency(text: string): Urgency | null {
  const head = text.slice(0, 2000);
  const tag =
    /[([{]\s*(?:priority\s*:?\s*)?(p[0-4]|must(?: have)?|should(?: have)?|could(?: have)?|won['’]?t(?: have)?|critical|high|medium|low|optional|nice[- ]to[- ]have)\s*[)\]}]/i.exec(
      head,
    )?.[1];
  const stated =
    tag ??
    /\bpriority\s*:\s*\**\s*(\w+)/i.exec(head)?.[1] ??
    /^[*_[(]*(p[0-4])[*_\])]*\s*[:–—-]\s/i.exec(head)?.[1] ??
    null;
  if (stated !== null) return statedUrgency(stated);
  // In capitals it is a keyword of RFC 2119.
  if (/\bMAY [a-z]/.test(head) && !/\b(?:SHALL|MUST|SHOULD)\b/.test(head)) return "low";
  return /^(?:optional|nice to have)\b/i.test(plainTitle(head)) ? "optional" : null;
}

/** The urgency that a heading gives to everything below it. */
export function headingUrgency(title: string): Urgency | null {
  const name = unnumbered(title);
  if (/\bshould[- ]haves?\b|\bmedium priority\b/i.test(name)) return "medium";
  if (/\bcould[- ]haves?\b/i.test(name)) return "low";
  if (/^(?:later|someday|icebox)\b/i.test(name)) return "low";
  if (/\b(?:mvp|phase (?:1|one|i)|high priority)\b/i.test(name)) return "high";
  return taggedUrgency(title) ?? (LISTED.test(name) ? statedPriority(name) : null);
}
const LISTED =
  /^(?:critical|urgent|must[- ]haves?|nice[- ]to[- ]haves?|optional|future|stretch|p\d|low[- ]priority)\b/i;

/**
 * The urgency or state in a line below a task, such as "**Priority:** high" or "Status: done"; null for other lines.
 */
export function aboutTask(text: string): { urgency: Urgency | null; done: boolean } | null {
  const [, name, value = ""] =
    /^(priority|prio|moscow|status|state)\s*:\s*(.{1,60})$/i.exec(plainTitle(text.slice(0, 200))) ?? [];
  if (name === undefined) return null;
  const isStatus = /^stat/i.test(name);
  return { urgency: isStatus ? null : statedUrgency(value), done: isStatus && saysDone(value) };
}

/** Whether the value of a status means done. */
export function saysDone(value: string): boolean {
  return /^(?:done|complete|completed|closed|shipped|implemented|resolved|finished|x|yes)\b|^(?:✅|✓|✔|☑|\[x\])/iu.test(
    value.trim(),
  );
}

/** Whether a line at a document's head describes the document itself. */
export function isAboutDocument(text: string): boolean {
  return /^(?:author|authors|owner|date|version|status|created(?: by)?|(?:last )?(?:updated|modified|edited)(?: by)?|reviewers?|approvers?|stakeholders?|team|contact|document(?: \w+)?|project(?: name)?|client|customer|prepared (?:by|for)|confidential(?:ity)?|tags?|labels?|type)\s*:/iu.test(
    plainTitle(text.slice(0, 200)),
  );
}
