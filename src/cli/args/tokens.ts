import { type FlagTable, isFlag, takesNext } from "./flags.ts";

/** A part of a command line and its position. */
export type Token =
  | { kind: "flag"; index: number; spelling: string; value: string | null }
  | { kind: "word" | "end"; index: number };

/**
 * The tokens of a command line, as `parseArgs` of `node:util` finds them, whose loading costs a start more than all of ralph's
 * own parsing. The table says which flags take the next word. `value` is the text after `=`. A next word that is a value is not
 * a token of its own.
 */
export function tokenize(argv: readonly string[], table: FlagTable): Token[] {
  const tokens: Token[] = [];
  let isOver = false;
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? "";
    if (isOver || !(isFlag(word) || word === "--")) {
      tokens.push({ kind: "word", index });
    } else if (word === "--") {
      tokens.push({ kind: "end", index });
      isOver = true;
    } else {
      const [spelling = "", ...values] = word.split("=");
      const value = values.length === 0 ? null : values.join("=");
      tokens.push({ kind: "flag", index, spelling, value });
      const flag = table.get(spelling);
      if (value === null && flag !== undefined && takesNext(flag)) index += 1;
    }
  }
  return tokens;
}
