/** Where a command of the shell can begin. */
const BEGIN = String.raw`(?:^|[;&|(\x60\n]|\b(?:xargs|env|then|do|else|-exec)\s)\s*`;

/**
 * What a look's command must not do, which is a list against accidents and no protection against malice: whatever may run
 * in the project's tests may run here too.
 */
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(`${BEGIN}(?:rm|rmdir|unlink|shred|mv|dd|mkfs\\S*|del|erase|rd|Remove-Item)\\s`, "i"),
    "it deletes or moves files",
  ],
  [/\bfind\b[^;&|]*\s-delete\b/, "it deletes files"],
  [
    new RegExp(`${BEGIN}(?:sudo|doas|su|shutdown|reboot|kill|killall|pkill|taskkill)\\b`, "i"),
    "it acts on the machine",
  ],
  [
    /\bgit\b[^;&|]*\s(?:push|commit|reset|checkout|switch|restore|clean|rebase|merge|pull|stash|rm|mv)\b/,
    "it changes the repository",
  ],
  [/>\|?\s*["']?(?:\/(?!dev\/|tmp\/)|~|\$\{?HOME|\.\.[\\/]|[A-Za-z]:[\\/])/, "it writes outside the project"],
  [/\b(?:curl|wget)\b[^;&]*\|\s*(?:\w*sh|node|python\d?|ruby|perl)\b/, "it runs a program from the network"],
];

/** Why the command of a look is not run, to follow "because"; null if it may run. */
export function refusalOf(command: string): string | null {
  return REFUSED.find(([pattern]) => pattern.test(command))?.[1] ?? null;
}

/** How a command ended; `output` is the end of what it printed. */
export type CommandEnd = { exit_code: number | null; timed_out: boolean; output: string };

/** Exit codes by which a shell says that it found no such program, or may not start it. */
const NOT_RUN: ReadonlySet<number> = new Set([126, 127, 9009]);

/** Why a red command says nothing about the work, to follow "because"; null if it does. */
export function notRun({ exit_code, timed_out, output }: CommandEnd): string | null {
  if (timed_out) return "it ran out of time";
  if (exit_code === null) return "it could not be run to its end";
  if (NOT_RUN.has(exit_code)) return `the shell could not start it (exit code ${exit_code})`;
  if (exit_code === 2 && /^\S*sh: .*syntax error/im.test(output)) return "the shell cannot read it";
  return null;
}
