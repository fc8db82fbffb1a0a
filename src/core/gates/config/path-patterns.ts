import { isLike, parseWildcard } from "../../text/wildmatch.ts";

/** Longer patterns, and those with more alternatives, are only compared as they stand: an agent can write them to be slow. */
const LONGEST = 200;
const MOST_ALTERNATIVES = 64;

/** Alternatives: `{a,b}`, `@(a|b)`, and `?(a)`, which may be nothing. */
const GROUP = /\{([^{}]*)\}|([@?])\(([^()]*)\)/;

/**
 * Whether a pattern of paths takes all that another one takes, or a path. A folder takes what lies in it.
 * @param narrow its wildcards are characters like others
 */
export function covers(wide: string, narrow: string): boolean {
  const [pattern, text] = [bare(wide), bare(narrow)];
  if (pattern === text) return true;
  if (pattern.length > LONGEST || text.length > LONGEST) return false;
  if (!/[*?{[]/.test(pattern)) return pattern !== "" && text.startsWith(`${pattern}/`);
  return alternativesOf(pattern).some((one) => {
    // In most of these patterns it means something else than one character.
    const wildcard = parseWildcard(one.replaceAll("?", "\\?"), false);
    return wildcard !== null && isLike(wildcard, text);
  });
}

/** The patterns without alternatives that one with them stands for; none for too many. */
function alternativesOf(pattern: string): string[] {
  let found = [pattern];
  for (;;) {
    if (found.length > MOST_ALTERNATIVES) return [];
    const next = found.flatMap((one) => {
      const group = GROUP.exec(one);
      return group === null ? [one] : choicesOf(group).map((choice) => one.replace(GROUP, () => choice));
    });
    if (next.length === found.length && next.every((one, at) => one === found[at])) return next;
    found = next;
  }
}

function choicesOf([, braces, kind, inner = ""]: RegExpExecArray): string[] {
  return braces === undefined ? [...(kind === "?" ? [""] : []), ...inner.split("|")] : braces.split(",");
}

/** Without what only says that it begins at the root. */
function bare(path: string): string {
  return path.replace(/^(?:<rootDir>|\.)(?:\/|$)/, "").replace(/\/$/, "");
}

/** The name of a file, or what a pattern says about it. */
export function lastOf(path: string): string {
  return path.split("/").at(-1) ?? "";
}
