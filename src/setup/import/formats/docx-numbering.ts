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
    if (levels === undefined || own === undefined || !/%\d/.test(own.text)) return null;
    const count = counts.get(kind) ?? [];
    counts.set(kind, count);
    const first = starts?.get(level);
    starts?.delete(level);
    count[level] = first ?? (count[level] ?? own.start - 1) + 1;
    count.length = level + 1;
    let isNumber = true;
    const text = own.text.replace(/%(\d)/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      const { start = 1, format = "decimal" } = levels.get(at) ?? {};
      isNumber &&= format.startsWith("decimal");
      return String(count[at] ?? start).padStart(format === "decimalZero" ? 2 : 1, "0");
    });
    // Letters and Roman numbers only count the points of a list.
    return isNumber ? text : null;
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
