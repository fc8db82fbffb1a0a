import { parseArgs } from "node:util";
import { type FlagTable, isFlag, takesNext } from "./flags.ts";

/** A part of a command line, by its place in it. */
export type Token =
  | { kind: "flag"; index: number; spelling: string; value: string | null }
  | { kind: "word" | "end"; index: number };

/**
 * The tokens of a command line by Node.js, which learns from the table which flags take the next word. `value` is what
 * stands behind `=`; the next word, where a flag takes one, is no token of its own.
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
 * Node.js takes `-calls` and `- do this` for letters, and `-c=5` for the value `=5`. So each flag is a long one to it, `-c`
 * under the name `-c`; and what begins with a dash and is no flag is hidden behind a letter.
 */
function asNodeReads(word: string): string {
  if (!word.startsWith("-") || word === "--") return word;
  return isFlag(word) ? `--${nameOf(word)}` : `x${word}`;
}

function nameOf(spelling: string): string {
  return spelling.replace(/^--/, "");
}
