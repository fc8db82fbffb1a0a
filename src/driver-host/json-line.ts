import { isTooDeep } from "../core/json-value.ts";
import { ESCAPE_SEQUENCE } from "../core/text/plain-text.ts";

type Json = Record<string, unknown> | unknown[];

/** Blanks, control characters, a byte order mark, and terminal escapes around JSON. */
const EDGE = `(?:[\\s\\uFEFF\\0-\\x1a\\x1c-\\x1f]|${ESCAPE_SEQUENCE})*`;

/**
 * The JSON object or array on one line of output; null if there is none. Ignores what a terminal or an editor adds around it.
 * If two writers shared the line, returns their values as one array. Never throws.
 */
export function parseJsonLine(line: string): Json | null {
  // Fast path: most lines are a single object; a line without a bracket has none.
  if (!line.startsWith("{") && !/[[{]/.test(line)) return null;
  return parse(line) ?? parseSeveral(line);
}

function parse(text: string): Json | null {
  if (isTooDeep(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Json) : null;
  } catch {
    return null;
  }
}

function parseSeveral(line: string): Json | null {
  const edge = new RegExp(EDGE, "y");
  const afterEdge = (at: number): number => {
    edge.lastIndex = at;
    return at + (edge.exec(line)?.[0].length ?? 0);
  };
  const values: Json[] = [];
  let at = afterEdge(0);
  while (at < line.length) {
    const end = valueEnd(line, at);
    const value = end === null ? null : parse(line.slice(at, end));
    if (end === null || value === null) return null;
    values.push(value);
    at = afterEdge(end);
  }
  return values.length > 1 ? values.flat() : (values[0] ?? null);
}

/**
 * The index after the bracketed value that begins at `start`, found by counting brackets outside strings; null if it is not
 * closed.
 */
function valueEnd(text: string, start: number): number | null {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === "\\") at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{" || char === "[") depth++;
    else if (char === "}" || char === "]") depth--;
    if (depth === 0) return at > start ? at + 1 : null;
  }
  return null;
}
