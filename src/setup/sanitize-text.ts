import { truncate } from "../core/text/truncate.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get into a file that others read
const INVISIBLE = /[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\uffff]+/g;
/** Maximum length of a project's name. */
export const MAX_NAME = 100;
/** Maximum length of a command. */
export const MAX_COMMAND = 1000;

/** Someone else's text on one line, without invisible characters, at most `max` characters. */
export function sanitizeLine(text: string, max: number): string {
  const line = text.toWellFormed().replace(INVISIBLE, " ").replace(/\s+/g, " ").trim();
  return truncate(line, max);
}

/** Removes the start of a Markdown comment, which would hide the boxes after it from the count. */
export function uncommented(text: string): string {
  return text.replaceAll("<!--", "<! --");
}

/** A project's name for settings and headings: one short line. */
export function sanitizeName(text: string): string {
  return sanitizeLine(text, MAX_NAME);
}

/** Someone else's text as Markdown code, where it has no other meaning. */
export function inlineCode(text: string, max = MAX_NAME): string {
  const line = uncommented(sanitizeLine(text, max)).replaceAll("`", "'");
  return line === "" ? "this project" : `\`${line}\``;
}
