import { clipCodePoints } from "./truncate.ts";

/**
 * A terminal's control sequences (ECMA-48), as the source of a regular expression: colours and cursor moves, titles and
 * links, character sets. An unterminated title ends with its line.
 */
export const ESCAPE_SEQUENCE =
  "(?:(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]|\\x1b\\][^\\x07\\x1b\\n]*(?:\\x07|\\x1b\\\\)?|\\x1b[ -/]*[0-Z\\\\^-~])";
const ESCAPES = new RegExp(ESCAPE_SEQUENCE, "g");
/**
 * All control characters but line ends and tabs, and those that reverse the direction of a line, which could hide
 * words.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not reach a terminal
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
/** Without any of these a text is safe as it is; that is most of it, and one search instead of four. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same characters, and halves of pairs
const UNSAFE = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]/;

/** Removes the sequences that colour the text or move the cursor. */
export function stripAnsi(text: string): string {
  return text.replace(ESCAPES, "");
}

/** Makes someone else's text safe to print: removes escape sequences and control characters except \n and \t. */
export function plainText(text: string): string {
  if (!UNSAFE.test(text)) return text;
  return stripAnsi(text).replace(/\r\n?/g, "\n").replace(CONTROLS, "").toWellFormed();
}

/**
 * Someone else's text, with each character that a terminal would not show as it is in its escaped form: what a person agrees to
 * must be seen whole.
 */
export function visibleText(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
}

/** A blank that is not a single space. */
const FOLDS = /[^\S ]| {2}/;

/** A text like `plainText`, on one line, with blanks folded. */
export function singleLine(text: string): string {
  const safe = plainText(text);
  return (FOLDS.test(safe) ? safe.replace(/\s+/g, " ") : safe).trim();
}

/** The first non-blank line, cut to `limit` code points. */
export function firstLine(text: string, limit: number): string {
  return clipCodePoints(plainText(text).trim().split("\n", 1)[0] ?? "", limit).trimEnd();
}

/** A colour or another style, as ralph itself sets it; concealed text is none. */
const OWN_STYLE = "\\x1b\\[(?!8m)\\d{1,3}m";
const STYLES_AND_CONTROLS = new RegExp(`${OWN_STYLE}|\\r\\n|${CONTROLS.source}`, "g");

/**
 * Text for a terminal: whatever control characters are in it, from a file's name or a setting, are shown as `\u001b` and the like, and
 * obeyed by no terminal. Line ends, tabs and styles stay.
 */
export function visibleControls(text: string): string {
  if (!UNSAFE.test(text)) return text;
  return text.replace(STYLES_AND_CONTROLS, (found) => (found.length > 1 ? found : escaped(found)));
}

const BREAKS_AND_CONTROLS = new RegExp(`\\r\\n|${CONTROLS.source}`, "g");

/**
 * A text like `visibleControls` that is wholly someone else's: no style passes either, as two of them (a colour on the same colour) hide
 * words.
 */
export function visibleStyles(text: string): string {
  if (!UNSAFE.test(text)) return text;
  return text.replace(BREAKS_AND_CONTROLS, (found) => (found.length > 1 ? found : escaped(found)));
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
