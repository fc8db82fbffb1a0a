/** Characters after which a slash begins a regular expression, not a division. */
const beforeRegex =
  /(?:^|[=(,:;[!&|?{}+\-*%<>~^\n]|\b(?:return|typeof|case|in|of|do|else|await|yield|void|throw|new))\s*$/;

const literal =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`|[{}]|\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/g;

const blank = (text: string) => text.replace(/[^\n]/g, " ");
const blankInside = (quoted: string) => quoted[0] + blank(quoted.slice(1, -1)) + quoted[0];

/** The index just after a stretch of template text that starts at `from`, and whether a `${` ended it. */
function templateText(source: string, from: number): { end: number; hole: boolean } {
  for (let index = from; index < source.length; index++) {
    if (source[index] === "\\") index++;
    else if (source[index] === "`") return { end: index + 1, hole: false };
    else if (source.startsWith("${", index)) return { end: index + 2, hole: true };
  }
  return { end: source.length, hole: false };
}

/**
 * Blanks comments and the contents of strings, templates and regular expressions, at the same length, so that rules
 * about code ignore them. Quotes stay, and so does code in a template's holes.
 */
export function mask(source: string): string {
  const holes: number[] = [];
  let depth = 0;
  let out = "";
  let at = 0;
  const take = (end: number, text: string) => {
    out += text;
    at = end;
  };
  const template = (from: number) => {
    const { end, hole } = templateText(source, from);
    take(end, blank(source.slice(at, end)));
    if (hole) holes.push(depth);
  };
  while (at < source.length) {
    literal.lastIndex = at;
    const match = literal.exec(source);
    if (match === null) break;
    take(match.index, source.slice(at, match.index));
    const token = match[0];
    const end = match.index + token.length;
    if (token === "`") template(end);
    else if (token === "{") {
      depth++;
      take(end, token);
    } else if (token === "}" && holes.at(-1) === depth) {
      holes.pop();
      template(end);
    } else if (token === "}") {
      depth--;
      take(end, token);
    } else if (token.startsWith("/") && !/^\/[/*]/.test(token) && !beforeRegex.test(out)) take(at + 1, "/");
    else if (/^["']/.test(token)) take(end, blankInside(token));
    else take(end, blank(token));
  }
  return out + source.slice(at);
}
