import { splitShellWords } from "../text/shell-words.ts";

/** Programs whose first argument that is no flag is the script they run. */
const INTERPRETERS = /^(?:ba|da|z|k)?sh$|^(?:node|bun|deno|python[\d.]*|ruby|perl|php|pwsh|tsx)(?:\.exe)?$/;
/** Words that stand before the script, and flags that have code in its place. */
const BEFORE_SCRIPT = new Set(["run", "--"]);
const INLINE_CODE = /^(?:-\w*[ce]|--eval|-p|--print)$/;

/**
 * The file that a hidden gate's command runs, as it is written there; null where it is a program of the PATH.
 */
export function hiddenGateFile(command: string): string | null {
  const words = splitShellWords(command) ?? [];
  const at = words.findIndex((word) => !/^\w+=/.test(word));
  const program = words[at];
  if (program === undefined) return null;
  const name = program.split(/[\\/]/).at(-1) ?? "";
  if (INTERPRETERS.test(name)) {
    const args = words.slice(at + 1);
    if (args.some((word) => INLINE_CODE.test(word))) return null;
    const named = args.filter((word) => !word.startsWith("-") && !BEFORE_SCRIPT.has(word));
    // A word without either is more likely a flag's value.
    return named.find((word) => /[./\\]/.test(word)) ?? named[0] ?? null;
  }
  return /[\\/]/.test(program) ? program : null;
}

const HEAD_LINES = 10;
const REQUIREMENT = /^\W{0,5}\s*requirement:\s*(.+)$/i;

/**
 * What a hidden gate requires, in the words of a line such as `# requirement: prices have two decimals` among the first ten of
 * its file; null if it has none.
 */
export function requirementIn(text: string): string | null {
  const lines = text.split(/\r?\n/, HEAD_LINES);
  const found = lines.map((line) =>
    REQUIREMENT.exec(line.slice(0, 500))?.[1]
      ?.replace(/\s*(?:\*\/|-->)\s*$/, "")
      .trim(),
  );
  return found.find((one) => one !== undefined && one !== "") ?? null;
}
