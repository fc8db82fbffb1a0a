import { parseArgs } from "node:util";
import { type FlagTable, isFlag, takesNext } from "./flags.ts";

/** A part of a command line and its position. */
export type Token =
  | { kind: "flag"; index: number; spelling: string; value: string | null }
  | { kind: "word" | "end"; index: number };

/**
 * Node.js's tokens of a command line; the table says which flags take the next word. `value` is the text after `=`. A
 * next word that is a value is not a token of its own.
 */
export function tokenize(argv: readonly string[], table: FlagTable): Token[] {
  const options = Object.fromEntries(
    [...table].map(([spelling, flag]) => [nameOf(spelling), { type: takesNext(flag) ? "string" : "boolean" } as const]),
  );
  const { tokens } = parseArgs({
    args: argv.map(asNodeReads),
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return tokens.map((token): Token => {
    const { kind, index } = token;
    if (kind === "positional") return { kind: "word", index };
    if (kind === "option-terminator") return { kind: "end", index };
    const spelling = token.name.startsWith("-") ? token.name : `--${token.name}`;
    return { kind: "flag", index, spelling, value: token.inlineValue ? token.value : null };
  });
}

/**
 * Node.js reads `-calls` and `- do this` as bundled letters, and `-c=5` as the value `=5`. So every flag is passed as a
 * long one (`-c` is named `-c`). A word that begins with a dash but is not a flag is hidden behind a letter.
 */
function asNodeReads(word: string): string {
  if (!word.startsWith("-") || word === "--") return word;
  return isFlag(word) ? `--${nameOf(word)}` : `x${word}`;
}

function nameOf(spelling: string): string {
  return spelling.replace(/^--/, "");
}
