/** Parses git's configuration language (git-config manual, "Syntax"); writing is not needed. */

/** Full key (section and name in lower case, the subsection as written) and value, in file order. */
export type ConfigEntry = readonly [key: string, value: string];

export function parseGitConfig(text: string): ConfigEntry[] {
  const entries: ConfigEntry[] = [];
  let section = "";
  for (let line of logicalLines(text)) {
    const header = /^\s*\[\s*([A-Za-z0-9.-]+)\s*(?:"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line);
    if (header !== null) {
      const subsection = header[2]?.replace(/\\(.)/g, "$1");
      section = `${header[1]?.toLowerCase()}${subsection === undefined ? "" : `.${subsection}`}`;
      line = line.slice(header[0].length);
    }
    const pair = /^\s*([A-Za-z][A-Za-z0-9-]*)\s*(?:=(.*))?/s.exec(line);
    if (pair === null) continue;
    entries.push([`${section}.${pair[1]?.toLowerCase()}`, pair[2] === undefined ? "true" : parseValue(pair[2])]);
  }
  return entries;
}

/** Splits into lines without their comments. A backslash joins a line with the next, but for one that ends a comment. */
function logicalLines(text: string): string[] {
  const source = `${text.replaceAll("\r\n", "\n")}\n`;
  const lines: string[] = [];
  let line = "";
  let isQuoted = false;
  let isComment = false;
  for (let at = 0; at < source.length; at += 1) {
    const char = source.charAt(at);
    if (char === "\n") {
      lines.push(line);
      line = "";
      isQuoted = false;
      isComment = false;
    } else if (isComment) continue;
    else if (char === "\\") {
      at += 1;
      line += char + source.charAt(at);
    } else if (!isQuoted && (char === "#" || char === ";")) isComment = true;
    else {
      if (char === '"') isQuoted = !isQuoted;
      line += char;
    }
  }
  return [...lines, line];
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b", "\n": "" };

/** Resolves quotes and escapes; drops surrounding blanks. */
function parseValue(raw: string): string {
  let value = "";
  let keptLength = 0; // trailing blanks beyond this length are dropped
  let quoted = false;
  for (let at = 0; at < raw.length; at += 1) {
    const char = raw.charAt(at);
    if (char === '"') quoted = !quoted;
    else if (char === "\\") {
      at += 1;
      value += ESCAPES[raw.charAt(at)] ?? raw.charAt(at);
    } else if (quoted || !/\s/.test(char) || value !== "") value += char;
    if (quoted || !/\s/.test(char)) keptLength = value.length;
  }
  return value.slice(0, keptLength);
}

/** Git's words for true; anything else is false. */
export function isTrue(value: string | undefined): boolean {
  if (value === undefined) return false;
  return /^(?:true|yes|on)$/i.test(value) || (/^-?\d+$/.test(value) && Number(value) !== 0);
}
