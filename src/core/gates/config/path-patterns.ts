/** Longer patterns, and those with more wildcards, are only compared as they stand: an agent can write them to be slow. */
const LONGEST = 200;
const MOST_WILDCARDS = 5;

/** Wildcards, groups of alternatives, and what stands between them. */
const TOKEN = /\*\*\/?|\*|[?@]\([^()]*\)|\{[^{}]*\}|\[[^[\]]*\]|[^*?@{[]+|./g;

/**
 * Whether a pattern of paths takes all that another one takes, or a path. A folder takes what lies in it.
 * @param narrow its wildcards are characters like others
 */
export function covers(wide: string, narrow: string): boolean {
  const [pattern, text] = [bare(wide), bare(narrow)];
  if (pattern === text) return true;
  if (pattern.length > LONGEST || text.length > LONGEST) return false;
  if (!/[*?{[]/.test(pattern)) return pattern !== "" && text.startsWith(`${pattern}/`);
  const tokens = pattern.match(TOKEN) ?? [];
  if (tokens.filter((token) => token.startsWith("*")).length > MOST_WILDCARDS) return false;
  return tokens.reduce((ends, token) => endsOf(token, text, ends), new Set([0])).has(text.length);
}

/** Where a part of a pattern can end that begins at one of these places of the text. */
function endsOf(token: string, text: string, starts: ReadonlySet<number>): Set<number> {
  if (!token.startsWith("*"))
    return new Set(
      [...starts].flatMap((start) =>
        choicesOf(token).flatMap((one) => (text.startsWith(one, start) ? [start + one.length] : [])),
      ),
    );
  const ends = new Set<number>();
  let isOpen = false;
  for (let at = 0; at <= text.length; at += 1) {
    if (at > 0 && token === "*" && text[at - 1] === "/") isOpen = false;
    isOpen ||= starts.has(at);
    if (isOpen && (token !== "**/" || starts.has(at) || text[at - 1] === "/")) ends.add(at);
  }
  return ends;
}

function choicesOf(token: string): string[] {
  const inner = token.slice(token.search(/[({[]/) + 1, -1);
  if (token.length < 2) return [token];
  if (token.startsWith("[")) return [...inner];
  if (token.startsWith("{")) return inner.split(",");
  if (token.startsWith("@(")) return inner.split("|");
  return token.startsWith("?(") ? ["", ...inner.split("|")] : [token];
}

/** Without what only says that it begins at the root. */
function bare(path: string): string {
  return path.replace(/^(?:<rootDir>|\.)(?:\/|$)/, "").replace(/\/$/, "");
}

/** The name of a file, or what a pattern says about it. */
export function lastOf(path: string): string {
  return path.split("/").at(-1) ?? "";
}
