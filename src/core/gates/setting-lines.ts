/** Configuration in braces, a line for each setting. */
export type SettingLines = {
  text: string;
  /** The line on which one of them stood. Both count from 1. */
  origin(line: number): number;
  /** Whether it had that line for itself. */
  isWhole(line: number): boolean;
};

const BRACED = /\.(?:[cm]?[jt]s|jsonc?|json5)$|(?:^|\/)\.\w+rc$/;

/**
 * Lays the settings out that stand together on a line, so that they are compared one by one; what has a line of its own stays. A list
 * that is a setting's value stays on its line.
 * @param path a file in another form stays as it is
 */
export function settingLines(path: string, text: string): SettingLines {
  if (!BRACED.test(path)) return { text, origin: (line) => line, isWhole: () => true };
  const out: string[] = [];
  const origins: number[] = [];
  for (const [at, line] of pieces(text)) {
    out.push(line);
    origins.push(at);
  }
  return {
    text: out.join("\n"),
    origin: (line) => origins[line - 1] ?? line,
    isWhole: (line) => origins[line - 1] !== origins[line - 2] && origins[line - 1] !== origins[line],
  };
}

/** A character that opens or closes something, or a whole string. */
const TOKEN = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\\n])*`|[{}[\](),]/g;

const MOST_TOKENS = 200;
/** A list that is the value of a setting, among what is open. */
const VALUE = "value";

function* pieces(text: string): Generator<[at: number, line: string]> {
  const open: string[] = [];
  /** Lists that are the value of a setting, and open. */
  let values = 0;
  for (const [index, line] of text.split("\n").entries()) {
    let from = 0;
    let last = 0;
    const cut = (at: number): [number, string][] => {
      const piece = line.slice(from, at);
      from = at;
      return piece.trim() === "" ? [] : [[index + 1, piece]];
    };
    const tokens = [...line.matchAll(TOKEN)];
    // Nobody writes more on a line; a line for each would take long.
    const isMany = tokens.length > MOST_TOKENS;
    for (const { 0: token, index: at } of tokens) {
      const isWithin = isMany || values > 0;
      const isValue = token === "[" && line.slice(last, at).trimEnd().endsWith(":");
      last = at + token.length;
      if (token === "}" && !isWithin) yield* cut(at);
      if (/^[{[(]$/.test(token)) open.push(isValue ? VALUE : token);
      else if (/^[}\])]$/.test(token) && open.pop() === VALUE) values -= 1;
      if (isValue) values += 1;
      if (!isWithin && (token === "{" || (token === "," && open.at(-1) !== "("))) yield* cut(at + 1);
    }
    yield [index + 1, line.slice(from)];
  }
}
