import { clipCodePoints } from "./truncate.ts";

/**
 * What a terminal takes for a command (ECMA-48), as the source of a regular expression: colours and cursor moves, titles
 * and links, character sets. A title that is never ended goes no further than its line.
 */
export const ESCAPE_SEQUENCE =
  "(?:(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]|\\x1b\\][^\\x07\\x1b\\n]*(?:\\x07|\\x1b\\\\)?|\\x1b[ -/]*[0-Z\\\\^-~])";
const ESCAPES = new RegExp(ESCAPE_SEQUENCE, "g");
/** All but line ends and tabs; also what turns the direction of a line around, in which words could hide. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not reach a terminal
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** The text without the sequences that colour it on a terminal, or move its cursor. */
export function stripAnsi(text: string): string {
  return text.replace(ESCAPES, "");
}

/** Text of others made safe to print: no escape sequences, and of control characters only \n and \t. */
export function plainText(text: string): string {
  return stripAnsi(text).replace(/\r\n?/g, "\n").replace(CONTROLS, "").toWellFormed();
}

/** The same on one line, blanks folded. */
export function singleLine(text: string): string {
  return plainText(text).replace(/\s+/g, " ").trim();
}

/** The first line that says something, cut to so many code points. */
export function firstLine(text: string, limit: number): string {
  return clipCodePoints(plainText(text).trim().split("\n", 1)[0] ?? "", limit).trimEnd();
}
