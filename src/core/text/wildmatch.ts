/**
 * Patterns for paths as git has them (`wildmatch.c` with WM_PATHNAME), a character a byte. However many stars a pattern has, comparing takes
 * at most as many steps as its length multiplied by that of the path: somebody else may have written both.
 */

/** The code of a character, or an entry for each code that fits, or one of those below. */
type Part = number | Uint8Array;
const ANY = -1;
const STAR = -2;
/** `**` between slashes, with the slash after it: no, one or more folders. */
const FOLDERS = "**";

/** The names of a path, one after the other. */
export type Wildcard = readonly (readonly Part[] | typeof FOLDERS)[];

/** What makes a pattern more than the text that it is. */
export const SPECIAL = /[*?[\\]/;

/** Capital letters of ASCII in small ones: git knows no other. */
export function lowered(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/**
 * @param fold compares as git does where case does not count; the text must be lowered
 * @returns null for a pattern that matches nothing, as something in it does not end
 */
export function parseWildcard(pattern: string, fold: boolean): Wildcard | null {
  const names: (readonly Part[] | typeof FOLDERS)[] = [];
  let name: Part[] = [];
  const endName = () => {
    names.push(name);
    name = [];
  };
  let at = 0;
  while (at < pattern.length) {
    const char = pattern.charAt(at);
    at += 1;
    if (char === "/") endName();
    else if (char === "?") name.push(ANY);
    else if (char === "*") {
      const begin = at;
      while (pattern[at] === "*") at += 1;
      if (at === begin || name.length > 0) name.push(STAR);
      else if (pattern[at] === "/") {
        names.push(FOLDERS);
        at += 1;
      } else if (at === pattern.length) {
        names.push(FOLDERS);
        name.push(STAR);
      } else if (pattern.startsWith("\\/", at)) {
        names.push([STAR], FOLDERS);
        at += 2;
      } else name.push(STAR);
    } else if (char === "[") {
      const set = parseSet(pattern, at, fold);
      if (set === null) return null;
      name.push(set.codes);
      at = set.end;
    } else if (char === "\\") {
      if (at === pattern.length) return null;
      if (pattern[at] === "/") endName();
      else name.push(pattern.charCodeAt(at));
      at += 1;
    } else name.push((fold ? lowered(char) : char).charCodeAt(0));
  }
  return [...names, name];
}

/** Whether a path is like a pattern, from its first to its last character. */
export function isLike(wildcard: Wildcard, path: string): boolean {
  const names = path.split("/");
  return fitsAll(
    wildcard,
    FOLDERS,
    names.length,
    (parts, at) => parts !== FOLDERS && isNameLike(parts, names[at] ?? ""),
  );
}

function isNameLike(parts: readonly Part[], name: string): boolean {
  return fitsAll(parts, STAR, name.length, (part, at) => {
    const code = name.charCodeAt(at);
    return typeof part === "number" ? part === ANY || part === code : part[code] === 1;
  });
}

/**
 * What stands between two stars may fit as early as it can: what comes later has the more room then. So only the star that was met last
 * ever takes more, and nothing is tried twice.
 */
function fitsAll<Item>(items: readonly Item[], star: Item, length: number, fits: (item: Item, at: number) => boolean) {
  let next = 0;
  let at = 0;
  let lastStar = -1;
  let taken = 0;
  while (at < length) {
    const item = items[next];
    if (item === star) {
      lastStar = next;
      taken = at;
      next += 1;
    } else if (item !== undefined && fits(item, at)) {
      next += 1;
      at += 1;
    } else if (lastStar !== -1) {
      taken += 1;
      next = lastStar + 1;
      at = taken;
    } else return false;
  }
  while (items[next] === star) next += 1;
  return next === items.length;
}

/** git knows the letters of ASCII alone, and only four blanks. Slashes are in no name. */
const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /[^ -~\u0080-\u00ff]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

/** @param from after the `[` @returns the codes that fit, and where the pattern goes on; null if the set does not end */
function parseSet(pattern: string, from: number, fold: boolean): { codes: Uint8Array; end: number } | null {
  const codes = new Uint8Array(256);
  const negated = pattern[from] === "!" || pattern[from] === "^";
  let at = negated ? from + 1 : from;
  /** Where a range may begin. */
  let first: number | null = null;
  do {
    let char = pattern[at];
    const close = char === "[" && pattern[at + 1] === ":" ? pattern.indexOf("]", at + 2) : at;
    if (close === -1) return null;
    if (close > at + 2 && pattern[close - 1] === ":") {
      const className = pattern.slice(at + 2, close - 1);
      const fits = CLASSES[className];
      if (fits === undefined) return null;
      for (let code = 0; code < 256; code += 1) if (fits.test(String.fromCharCode(code))) codes[code] = 1;
      if (fold && className === "upper") codes.fill(1, 0x61, 0x7b);
      first = null;
      at = close + 1;
      continue;
    }
    const isRange = char === "-" && first !== null && pattern[at + 1] !== undefined && pattern[at + 1] !== "]";
    if (isRange) at += 1;
    if (pattern[at] === "\\") at += 1;
    char = pattern[at];
    if (char === undefined) return null;
    const code = char.charCodeAt(0);
    if (isRange && first !== null) {
      for (let one = first; one <= code; one += 1) {
        codes[one] = 1;
        if (fold) codes[lowered(String.fromCharCode(one)).charCodeAt(0)] = 1;
      }
      first = null;
    } else {
      codes[code] = 1;
      first = code;
    }
    at += 1;
  } while (pattern[at] !== "]");
  return { codes: negated ? codes.map((one) => 1 - one) : codes, end: at + 1 };
}
