import { stripAnsi } from "../text/plain-text.ts";
import { splitLines } from "../text/text-lines.ts";
import { clipCodePoints } from "../text/truncate.ts";
import { normaliseLine } from "./fingerprint.ts";

/** Error lines of an iteration: a number of different ones as examples, and how many there were in all. */
export type ErrorLines = { readonly lines: readonly ErrorLine[]; readonly count: number };
/** A line as it was printed (cut), and normalised for comparing iterations. */
export type ErrorLine = { readonly raw: string; readonly normalised: string };

const MOST_LINES = 20;
const LONGEST_LINE = 1000;
/** Of a longer text only the ends are searched: errors stand at its start or its end. */
const LONGEST_TEXT = 400_000;

/** Stage 1: a JSON field such as `"is_error": false` speaks of errors without being one. */
const JSON_FIELD = /"[^"]{0,100}error[^"]{0,100}"\s*:/i;
/** Stage 2: what an error looks like. Names such as `TypeError:` count with the exceptions. */
const ERROR =
  /^\s*(?:(?:[A-Za-z_][\w.]{0,80})?Error|ERROR|error):|\]: error|Link: error|Error occurred|failed with error|Exception|\bexception\b|\bFatal|\bFATAL/;

/** No error lines. */
export function noErrors(): ErrorLines {
  return { lines: [], count: 0 };
}

/** Whether a line passes the two-stage filter of the reference guide ("Error Detection"). */
export function isErrorLine(line: string): boolean {
  return ERROR.test(line) && !JSON_FIELD.test(line);
}

/** Node puts a code between the name of an error and its colon. */
const CODE = / \[[A-Z_0-9]+\]:/;

/** The line of a failure's message that says what is wrong: the first error line (a stack trace begins elsewhere), else the first. */
export function mainErrorLine(message: string): string {
  const lines = splitLines(stripAnsi(ends(message.trim())));
  const found = lines.find((line) => isErrorLine(line.slice(0, LONGEST_LINE).replace(CODE, ":"))) ?? lines[0] ?? "";
  return clipCodePoints(found.trim(), 300);
}

/** The error lines known so far and those of `text`. */
export function addErrors(known: ErrorLines, text: string): ErrorLines {
  const found = splitLines(stripAnsi(ends(text)))
    .map((line) => line.slice(0, LONGEST_LINE))
    .filter(isErrorLine);
  if (found.length === 0) return known;
  const lines = [...known.lines];
  for (const line of found) {
    if (lines.length >= MOST_LINES) break;
    const normalised = normaliseLine(line);
    if (!lines.some((other) => other.normalised === normalised))
      lines.push({ raw: clipCodePoints(line.trim(), 200), normalised });
  }
  return { lines, count: known.count + found.length };
}

function ends(text: string): string {
  if (text.length <= LONGEST_TEXT) return text;
  return `${text.slice(0, LONGEST_TEXT / 2)}\n${text.slice(-LONGEST_TEXT / 2)}`;
}
