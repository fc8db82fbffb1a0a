/** git's configuration language, as far as reading goes (git-config of git's manual, "Syntax"). */

/** Full key (section and name in lower case, the subsection as written) and value, in the order of the file. */
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

/** Lines, those that end in a backslash joined with the next. */
function logicalLines(text: string): string[] {
  const unmarked = text.startsWith("\ufeff") ? text.slice(1) : text;
  return unmarked
    .replace(/\r\n/g, "\n")
    .replace(/(?<!\\)((?:\\\\)*)\\\n/g, "$1")
    .split("\n");
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", b: "\b" };

/** Quotes and escapes resolved, comment and blanks around it dropped. */
function parseValue(raw: string): string {
  let value = "";
  let kept = 0; // blanks before this length are part of the value
  let quoted = false;
  for (let at = 0; at < raw.length; at += 1) {
    const char = raw.charAt(at);
    if (char === '"') quoted = !quoted;
    else if (!quoted && (char === "#" || char === ";")) break;
    else if (char === "\\") {
      at += 1;
      value += ESCAPES[raw.charAt(at)] ?? raw.charAt(at);
    } else if (quoted || !/\s/.test(char) || value !== "") value += char;
    if (quoted || !/\s/.test(char)) kept = value.length;
  }
  return value.slice(0, kept);
}

/** git's words for true; everything else is false. */
export function isTrue(value: string | undefined): boolean {
  if (value === undefined) return false;
  return /^(?:true|yes|on)$/i.test(value) || (/^-?\d+$/.test(value) && Number(value) !== 0);
}
