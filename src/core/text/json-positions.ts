/** Positions in a JSON document: lines from 1. */
export type JsonPositions = {
  /** Of the value (or key) at a path such as `iterations.0.tick`; of the nearest existing parent if it is missing. */
  lineOf(path: string): number;
  /** Of a value, its offsets; of the last one where a key is there twice, as JSON.parse takes it; null if it is missing. */
  spanOf(path: readonly (string | number)[]): JsonSpan | null;
  /** Of the first invalid JSON; null for a valid document. */
  broken: number | null;
};

/** Offsets in a text; `to` is behind the last character. */
export type JsonSpan = { from: number; to: number };

const BLANKS = /[ \t\r\n]*/y;
const STRING = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SIMPLE = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
/** Real documents are less deep; a deeper one counts as broken at that depth. */
const MOST_DEPTH = 100;

/** Between the parts of a path: no key contains it, since a line end in a string is escaped. */
const STEP = "\n";

/** Parses a document only for its lines and offsets, since runtimes report them differently, and JSON.parse forgets them. */
export function locateJson(text: string): JsonPositions {
  const starts = new Map<string, number>();
  const spans = new Map<string, JsonSpan>();
  let at = 0;
  const take = (token: RegExp): string | null => {
    token.lastIndex = at;
    const found = token.exec(text)?.[0] ?? null;
    at += found?.length ?? 0;
    return found;
  };
  const mark = (character: string): boolean => {
    take(BLANKS);
    if (text[at] !== character) return false;
    at += 1;
    return true;
  };
  const items = (end: string, item: (nth: number) => boolean): boolean => {
    if (mark(end)) return true;
    for (let nth = 0; ; nth += 1) {
      if (!item(nth)) return false;
      if (mark(end)) return true;
      if (!mark(",")) return false;
    }
  };
  const value = (path: string, depth: number): boolean => {
    take(BLANKS);
    const from = at;
    if (!starts.has(path)) starts.set(path, from);
    if (depth > MOST_DEPTH || !content(path, depth)) return false;
    spans.set(path, { from, to: at });
    return true;
  };
  const content = (path: string, depth: number): boolean => {
    if (mark("[")) return items("]", (nth) => value(below(path, String(nth)), depth + 1));
    if (!mark("{")) return (take(STRING) ?? take(SIMPLE)) !== null;
    return items("}", () => {
      take(BLANKS);
      const start = at;
      const key = take(STRING);
      if (key === null) return false;
      const inner = below(path, keyText(JSON.parse(key)));
      starts.set(inner, start);
      return mark(":") && value(inner, depth + 1);
    });
  };
  const read = value("", 0);
  take(BLANKS);
  const whole = read && at === text.length;
  const lineAt = (offset: number): number => text.slice(0, offset).split("\n").length;
  return {
    lineOf(path) {
      let part = path.replaceAll(".", STEP);
      while (part !== "" && !starts.has(part)) part = part.slice(0, Math.max(part.lastIndexOf(STEP), 0));
      return lineAt(starts.get(part) ?? 0);
    },
    spanOf(path) {
      return spans.get(path.map((part) => keyText(String(part))).join(STEP)) ?? null;
    },
    broken: whole ? null : lineAt(at),
  };
}

function below(path: string, key: string): string {
  return path === "" ? key : `${path}${STEP}${key}`;
}

/** A key as JSON spells it, without its quotes. */
function keyText(key: string): string {
  return JSON.stringify(key).slice(1, -1);
}
