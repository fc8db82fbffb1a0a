/** Small changes to a text that leave every other byte as it is. */
import type { JsonPositions } from "./json-positions.ts";

/** Replaces `length` characters at the offset `at`. */
export type TextEdit = { at: number; length: number; text: string };

/** A text after edits that do not overlap. */
export function withEdits(text: string, edits: readonly TextEdit[]): string {
  return edits
    .toSorted((a, b) => b.at - a.at)
    .reduce((all, { at, length, text: words }) => all.slice(0, at) + words + all.slice(at + length), text);
}

/**
 * The edit that gives an object's key a value: in its place, or behind the last key in the spelling of the others.
 * @param path of the object, which has at least one key
 * @returns null if there is no such object
 */
export function memberEdit(
  text: string,
  positions: JsonPositions,
  path: readonly (string | number)[],
  [key, value]: readonly [string, string | boolean],
): TextEdit | null {
  const old = positions.spanOf([...path, key]);
  if (old !== null) return { at: old.from, length: old.to - old.from, text: JSON.stringify(value) };
  const object = positions.spanOf(path);
  if (object === null || text[object.from] !== "{") return null;
  const inside = text.slice(object.from + 1, object.to - 1);
  const indent = /^\s*/.exec(inside)?.[0] ?? "";
  const colon = /^\s*"(?:[^"\\]|\\.)*"(\s*:\s*)/.exec(inside)?.[1] ?? ":";
  const at = object.from + 1 + inside.trimEnd().length;
  // In a line such as `{"a": 1, "b": 2}` the blank stands behind the comma alone.
  const gap = indent === "" && colon.endsWith(" ") ? " " : indent;
  return { at, length: 0, text: `,${gap}${JSON.stringify(key)}${colon}${JSON.stringify(value)}` };
}
