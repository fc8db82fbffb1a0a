/** The format of a list level: `%1.%2` inserts the counts of the levels, as in `REQ-%1`. */
type Level = { start: number; format: string; text: string };

/** The next number of a list's paragraph; null for a bullet. Each call advances the count. */
export type Numbering = (list: string, level: number) => string | null;

const TOKEN =
  /<w:(abstractNum|num|lvl|lvlOverride)\s[^<>]*?w:(?:abstractNumId|numId|ilvl)="(\d{1,9})"|<w:(start|startOverride|numFmt|lvlText|abstractNumId)\s[^<>]*?w:val="([^"<>]{0,100})"/g;

/**
 * Reads `word/numbering.xml`: Word stores the numbers of chapters, requirements and steps apart from the text.
 * @param xml empty for a document without lists
 */
export function docxNumbering(xml: string): Numbering {
  const { kinds, lists } = listsOf(xml);
  /** The counts of each kind of list, level by level: lists of one kind share their counts. */
  const counts = new Map<string, number[]>();
  return (list, level) => {
    const { kind = "", starts } = lists.get(list) ?? {};
    const levels = kinds.get(kind);
    const own = levels?.get(level);
    if (levels === undefined || own === undefined || own.format === "none" || !/%\d/.test(own.text)) return null;
    const count = counts.get(kind) ?? [];
    counts.set(kind, count);
    const first = starts?.get(level);
    starts?.delete(level);
    count[level] = first ?? (count[level] ?? own.start - 1) + 1;
    count.length = level + 1;
    return own.text.replace(/%(\d)/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      const { start = 1, format = "decimal" } = levels.get(at) ?? {};
      return shown(count[at] ?? start, format);
    });
  };
}

/** A list's kind, and the numbers at which its levels restart. */
type List = { kind: string; starts: Map<number, number> };

function listsOf(xml: string): { kinds: Map<string, Map<number, Level>>; lists: Map<string, List> } {
  const kinds = new Map<string, Map<number, Level>>();
  const lists = new Map<string, List>();
  let levels = new Map<number, Level>();
  let list: List = { kind: "", starts: new Map() };
  let level: Level = { start: 1, format: "none", text: "" };
  let at = 0;
  for (const [, open, id = "", name, value = ""] of xml.matchAll(TOKEN)) {
    if (open === "abstractNum") {
      levels = new Map();
      kinds.set(id, levels);
    } else if (open === "num") {
      list = { kind: "", starts: new Map() };
      lists.set(id, list);
    } else if (open === "lvl") {
      level = { start: 1, format: "decimal", text: "" };
      levels.set(Number(id), level);
    } else if (open === "lvlOverride") at = Number(id);
    else if (name === "start") level.start = Number(value);
    else if (name === "numFmt") level.format = value;
    else if (name === "lvlText") level.text = value;
    else if (name === "abstractNumId") list.kind = value;
    else if (name === "startOverride") list.starts.set(at, Number(value));
  }
  return { kinds, lists };
}

function shown(count: number, format: string): string {
  if (format === "decimalZero") return String(count).padStart(2, "0");
  const isUpper = format.startsWith("upper");
  const text = /Letter$/.test(format) ? letters(count) : /Roman$/.test(format) ? roman(count) : String(count);
  return isUpper ? text.toUpperCase() : text;
}

/** a … z, aa, bb …, as Word counts. */
function letters(count: number): string {
  return String.fromCharCode(97 + ((count - 1) % 26)).repeat(Math.min(10, Math.ceil(count / 26)));
}

const ROMAN = [
  [100, "c"],
  [90, "xc"],
  [50, "l"],
  [40, "xl"],
  [10, "x"],
  [9, "ix"],
  [5, "v"],
  [4, "iv"],
  [1, "i"],
] as const;

function roman(count: number): string {
  let [rest, text] = [Math.min(count, 999), ""];
  for (const [value, sign] of ROMAN) for (; rest >= value; rest -= value) text += sign;
  return text;
}
