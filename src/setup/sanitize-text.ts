import { truncate } from "../core/text/truncate.ts";

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not get into a file that others read
const INVISIBLE = /[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\uffff]+/g;
/** Characters of a project's name, at most. */
export const MAX_NAME = 100;
/** Characters of a command, at most. */
export const MAX_COMMAND = 1000;

/** Text of others on one line, without what cannot be seen, at most `max` characters. */
export function sanitizeLine(text: string, max: number): string {
  const line = text.toWellFormed().replace(INVISIBLE, " ").replace(/\s+/g, " ").trim();
  return truncate(line, max);
}

/** Without the mark that begins a comment in Markdown: behind it a plan's boxes would be hidden, and count as none. */
export function uncommented(text: string): string {
  return text.replaceAll("<!--", "<! --");
}

/** A project's name as settings and headings hold it: one short line. */
export function sanitizeName(text: string): string {
  return sanitizeLine(text, MAX_NAME);
}

/** Text of others as Markdown code, so that it is a name there and nothing else. */
export function inlineCode(text: string, max = MAX_NAME): string {
  const line = uncommented(sanitizeLine(text, max)).replaceAll("`", "'");
  return line === "" ? "this project" : `\`${line}\``;
}
