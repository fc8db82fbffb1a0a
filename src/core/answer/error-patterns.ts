import type { ErrorClass } from "../../driver.ts";
import { stripAnsi } from "../text/plain-text.ts";
import { splitLines } from "../text/text-lines.ts";
import { clipCodePoints } from "../text/truncate.ts";
import type { UsageLimit } from "./analysis-types.ts";
import { numberClass } from "./error-number.ts";
import { type ErrorRow, GENERAL, RATE_LIMIT, SPECIFIC, USAGE_LIMIT } from "./error-table.ts";
import { formatLocalTime, resetTime } from "./reset-time.ts";

/** Error texts are short; of a longer one only the end is read, because the last error is there. */
const LONGEST_TEXT = 8000;
const MESSAGE_CHARS = 300;

/**
 * The provider's limit in an error text; null if it mentions none. Only for the final error text, never for an answer
 * (product.md "Limited").
 * @param now epoch ms; null ignores times that depend on the clock
 * @param zone IANA name of the user's time zone, for clock times without one
 */
export function limitFromError(message: string, now: number | null, zone = "UTC"): UsageLimit | null {
  const text = tailOf(message);
  const isUsage = matches(USAGE_LIMIT, text);
  if ((!isUsage && !matches(RATE_LIMIT, text)) || (find(SPECIFIC, text)?.class ?? "limit") !== "limit") return null;
  return {
    kind: isUsage ? "usage_limit" : "rate_limit",
    resets_at: resetTime(text, now, zone),
    message: humanizeResetTime(firstMatchingLine(text, isUsage ? USAGE_LIMIT : RATE_LIMIT), now, zone),
  };
}

/** The same for an error that is known to be a limit: words of its own are one without a kind, but may state when it ends. */
export function limitOfError(message: string, now: number | null, zone = "UTC"): UsageLimit {
  const worded = limitFromError(message, now, zone);
  return worded ?? { kind: "usage_limit", resets_at: resetTime(tailOf(message), now, zone), message };
}

/** The class of an error by its wording. `passing`: one more call may find it gone. */
export type WordedClass = { class: ErrorClass; passing: boolean };

/** Errors that no further call mends, if they are what they seem. */
export const LASTING: ReadonlySet<ErrorClass> = new Set(["auth", "billing", "model", "config"]);

/**
 * The class of an error by its wording, for an error without structured data; null if the wording is unknown. Of several
 * lines those decide that are marked as errors, if they say anything.
 */
export function classifyError(message: string): WordedClass | null {
  const text = tailOf(message);
  const lines = splitLines(text);
  const marked = lines.filter((line) => MARKED.test(line));
  const isMixed = marked.length > 0 && marked.length < lines.length;
  return (isMixed ? classOfText(marked.join("\n")) : null) ?? classOfText(text);
}

function classOfText(text: string): WordedClass | null {
  const specific = find(SPECIFIC, text);
  if (specific !== null) return specific;
  if (matches(USAGE_LIMIT, text) || matches(RATE_LIMIT, text)) return { class: "limit", passing: false };
  const general = find(GENERAL, text);
  if (general !== null && general.class !== "request") return general;
  const numbered = numberClass(text);
  // A number alone may stand for anything near it.
  return numbered === null ? general : { class: numbered, passing: LASTING.has(numbered) };
}

/** What a provider also answers with the status of a limit, though waiting helps nothing. */
const NO_MATTER_OF_TIME: ReadonlySet<ErrorClass> = new Set(["billing", "context"]);

/**
 * The class of an error that a CLI reports with its own words, and maybe the HTTP status; null if both leave it open. What
 * may pass by itself is left open too. Beside a status only words count that are more specific than a number.
 */
export function statedClass(message: string, status: number | null): ErrorClass | null {
  const text = tailOf(message);
  const specific = find(SPECIFIC, text);
  if (specific !== null && !specific.passing && (status !== 429 || NO_MATTER_OF_TIME.has(specific.class)))
    return specific.class;
  if (status === null && specific === null) return openClass(classifyError(message));
  return null;
}

function openClass(worded: WordedClass | null): ErrorClass | null {
  return worded === null || worded.passing ? null : worded.class;
}

/** Longer than every recorded sentence of a CLI that takes the place of an answer. */
const LONGEST_STATEMENT = 300;
/** How far from the line's beginning a statement may begin: `Claude AI usage limit reached`. */
const STATEMENT_AT = 10;
/** How CLIs mark a line as an error. */
const MARKED =
  /^\W{0,8}(?:API Error\b|(?:[\w.]{1,40})?[Ee]rror:|ERROR[: ]|(?:fatal|FATAL):|Execution (?:failed|error)\b|Failed to authenticate\b)/;

/**
 * Whether a line is a CLI's own statement about an error rather than words of an answer: it is marked as one, or begins with
 * a statement of the table.
 */
export function isErrorStatement(line: string): boolean {
  const text = stripAnsi(line).trim();
  if (text === "" || text.length > LONGEST_STATEMENT) return false;
  if (MARKED.test(text)) return true;
  const statements = [...SPECIFIC.flatMap(({ says = [] }) => says), ...USAGE_LIMIT];
  return statements.some((words) => (words.exec(text)?.index ?? Number.POSITIVE_INFINITY) <= STATEMENT_AT);
}

/** Old versions of Claude Code end the sentence with the reset time in seconds: `limit reached|1767225600`. */
const EPOCH_TAIL = /(?<=\blimit reached)\|(\d{10})(?:\d{3})?\b/i;

/**
 * Replaces a numeric time in a limit's message by local time.
 * @param now epoch ms, to leave out today's date; null if unknown
 */
export function humanizeResetTime(message: string, now: number | null, zone: string): string {
  return message.replace(EPOCH_TAIL, (_, seconds) => `, resets ${formatLocalTime(Number(seconds) * 1000, now, zone)}`);
}

function tailOf(message: string): string {
  return stripAnsi(message.slice(-LONGEST_TEXT));
}

function find(rows: readonly ErrorRow[], text: string): WordedClass | null {
  const row = rows.find(
    ({ says = [], words = [], unless }) => (matches(says, text) || matches(words, text)) && unless?.test(text) !== true,
  );
  return row === undefined ? null : { class: row.class, passing: row.passing === true };
}

function matches(patterns: readonly RegExp[], text: string): boolean {
  return patterns.some((pattern) => pattern.test(text));
}

function firstMatchingLine(text: string, patterns: readonly RegExp[]): string {
  const line = splitLines(text).find((one) => matches(patterns, one)) ?? text;
  return clipCodePoints(line.trim(), MESSAGE_CHARS);
}
