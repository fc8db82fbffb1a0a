/** Commands that are built into the shell. */
const BUILTINS = new Set(
  "! . : [ [[ alias bg break case cd command continue echo eval exec exit export false fg for if jobs kill printf pwd read return set shift source test time trap true type ulimit umask unset until wait while { (".split(
    " ",
  ),
);

/**
 * The program that a gate's command starts first; null if the shell itself does the work, or the program is uncertain.
 */
export function gateProgram(command: string): string | null {
  const words = command.trim().replace(/^(?:\w+=(?:"[^"]*"|'[^']*'|[^\s"'])*\s+)+/, "");
  const quoted = /^(["'])(.*?)\1/.exec(words);
  const word = quoted?.[2] ?? /^[^\s;&|<>]+/.exec(words)?.[0] ?? "";
  if (word === "" || BUILTINS.has(word) || /[$`*?(]/.test(word)) return null;
  return word;
}
