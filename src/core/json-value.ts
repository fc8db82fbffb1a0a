/** A JSON object: neither null nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The fields of a JSON object; any other value has none. */
export function fieldsOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

/** The objects of a JSON list; any other value has none. */
export function recordsOf(value: unknown): readonly Record<string, unknown>[] {
  if (!Array.isArray(value)) return [];
  // Nearly always it has nothing else: each line of an agent passes here.
  return value.every(isRecord) ? value : value.filter(isRecord);
}

/** A string, or null for any other type. */
export function str(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** A finite number, or null for any other type. */
export function num(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

const MOST_DEPTH = 1000;

/**
 * Whether brackets stand deeper within each other than in any real document. A parser may take it, but whatever walks or writes such a
 * value ends for want of a stack.
 */
export function isTooDeep(json: string): boolean {
  // Nearly all is too short for it, or has fewer brackets: each line of an agent passes here.
  if (json.length <= 2 * MOST_DEPTH) return false;
  if (countOf(json, "[") + countOf(json, "{") <= MOST_DEPTH) return false;
  const marks = /["[{\]}]/g;
  let depth = 0;
  for (let mark = marks.exec(json); mark !== null; mark = marks.exec(json)) {
    if (mark[0] === '"') marks.lastIndex = endOfString(json, mark.index);
    else depth += mark[0] === "[" || mark[0] === "{" ? 1 : -1;
    if (depth > MOST_DEPTH) return true;
  }
  return false;
}

function countOf(text: string, mark: string): number {
  let count = 0;
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) count += 1;
  return count;
}

/** The index behind the quote that ends a string; behind the text where none does. */
function endOfString(json: string, start: number): number {
  for (let at = json.indexOf('"', start + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let slashes = 0;
    while (json[at - 1 - slashes] === "\\") slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
  return json.length;
}

/** The value of a JSON text, with or without a byte order mark; undefined if it is none, or deeper than any real one. */
export function jsonIn(text: string): unknown {
  try {
    return isTooDeep(text) ? undefined : JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
}
