import { failingLines } from "../gates/failing-lines.ts";
import { stripAnsi } from "../text/plain-text.ts";
import { splitLines } from "../text/text-lines.ts";
import { clipCodePoints } from "../text/truncate.ts";
import { normaliseLine } from "./fingerprint.ts";

/** Error lines of an iteration: some distinct ones as examples, and the count of all. */
export type ErrorLines = { readonly lines: readonly ErrorLine[]; readonly count: number };
/** A line as printed (shortened), and normalised to compare iterations. */
export type ErrorLine = { readonly raw: string; readonly normalised: string };

const MOST_LINES = 20;
const LONGEST_LINE = 1000;
/** Only the ends of a longer text are searched: errors are at its start or its end. */
const LONGEST_TEXT = 400_000;

/** Stage 1: a JSON field such as `"is_error": false` mentions errors without being one. */
const JSON_FIELD = /"[^"]{0,100}error[^"]{0,100}"\s*:/i;
/** Stage 2: patterns of an error. Names such as `TypeError:` count as exceptions. */
const ERROR =
  /^\s*(?:(?:[A-Za-z_][\w.]{0,80})?Error|ERROR|error):|\]: error|Link: error|Error occurred|failed with error|Exception|\bexception\b|\bFatal|\bFATAL/;

/** Each line of an error has one of these words; most texts of an agent have none. */
const MAY_TELL_ERROR = /error|exception|fatal/i;

/** A tool's last words, which are the same whatever failed. */
const SAYS_NOT_WHAT =
  /^\s*(?:error: (?:could not compile|aborting due to|(?:doc)?test failed|\d+ targets? failed|build failed)\b|FAILURE: Build failed with an exception)|\b(?:exited with|with exit) (?:code|status) \d+\W*$/i;

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

/** A warning of Node, npm or any other program. */
const WARNING = /^\s*(?:npm )?(?:\(\w+:\d+\) )?(?:\[\w+\] )?(?:\w*Warning|WARN(?:ING)?|warn(?:ing)?)\b/;

/**
 * The most telling line of a failure message: the first error line (a stack trace may precede it), else the first that is no
 * warning, else the first line.
 */
export function mainErrorLine(message: string): string {
  const lines = splitLines(stripAnsi(ends(message.trim())));
  const found =
    lines.find((line) => isErrorLine(line.slice(0, LONGEST_LINE).replace(CODE, ":"))) ??
    lines.find((line) => line.trim() !== "" && !WARNING.test(line)) ??
    lines[0] ??
    "";
  return clipCodePoints(found.trim(), 300);
}

/** Adds the error lines of `text` to the known ones. Where one says only that something failed, the lines that name it count. */
export function addErrors(known: ErrorLines, text: string): ErrorLines {
  const part = stripAnsi(ends(text));
  if (!MAY_TELL_ERROR.test(part)) return known;
  const found = splitLines(part)
    .map((line) => line.slice(0, LONGEST_LINE))
    .filter(isErrorLine);
  if (found.length === 0) return known;
  const named = found.some((line) => SAYS_NOT_WHAT.test(line)) ? failingLines(part) : [];
  const lines = [...known.lines];
  for (const line of [...found, ...named].filter((one) => !SAYS_NOT_WHAT.test(one))) {
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
