/**
 * Splits a command line into words: blanks separate, quotes group, nothing is expanded (product.md "Flags":
 * CLAUDE_CODE_CMD may hold arguments). A backslash is literal outside double quotes, to keep Windows paths intact.
 * @returns null if a quote is not closed
 */
export function splitShellWords(line: string): string[] | null {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (let i = 0; i < line.length; i += 1) {
    const char = line[i] ?? "";
    if (quote !== null) {
      if (char === quote) quote = null;
      else if (quote === '"' && char === "\\" && /["\\]/.test(line[i + 1] ?? "")) {
        word = (word ?? "") + line[i + 1];
        i += 1;
      } else word = (word ?? "") + char;
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= "";
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? "") + char;
  }
  if (quote !== null) return null;
  return word === null ? words : [...words, word];
}

/**
 * A part of a line for a shell that holds no separator: what quotes enclose, or an escaped character. An unclosed quote is none, nor is
 * the apostrophe of a word: a list may name files, and two of them lie in the folder of one O'Neil.
 */
const PIECE = /(?<![\p{L}\p{N}])'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[\s\S]/gu;

/** Splits a list of commands at each `;` that is neither quoted nor escaped: `sh -c "cd app; npm test"` is one of them. */
export function splitCommands(list: string): string[] {
  const commands = [""];
  for (const [piece] of list.matchAll(PIECE)) {
    if (piece === ";") commands.push("");
    else commands.push((commands.pop() ?? "") + piece);
  }
  return commands.map((command) => command.trim()).filter((command) => command !== "");
}

/** What double quotes do not keep as it is in every shell. */
export const NEEDS_SINGLE_QUOTES = /["\\$`!%^&|<>']/;

/** A path of Windows, whose backslashes double quotes keep in every shell there: cmd.exe knows no single ones. */
const WINDOWS_PATH = /^[A-Za-z]:[^"$`!%^&|<>']*[^"$`!%^&|<>'\\]$/;

/**
 * Quotes a word so that it can be typed or pasted: a branch, a path, a name in every command that is shown. Every shell knows double
 * quotes; a word that needs more gets single ones.
 */
export function typedWord(word: string): string {
  if (/^[\w./@:=-]+$/.test(word)) return word;
  if (WINDOWS_PATH.test(word)) return `"${word}"`;
  return NEEDS_SINGLE_QUOTES.test(word) ? singleQuoted(word) : `"${word}"`;
}

/** A word for a POSIX shell, in which it stays as it is. */
export function singleQuoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
