import { RalphError } from "../../core/errors.ts";
import { didYouMean } from "../../core/settings/suggest.ts";
import { COMMANDS } from "../command-table.ts";
import { commandsOf } from "./define.ts";
import { type FlagTable, flagTable, isFlag, takesNext } from "./flags.ts";
import { linkedCommand } from "./linked-command.ts";
import { tokenize } from "./tokens.ts";

/** A command line in citty's order: the command, then its words. */
export type Route = {
  /** The command, `["circuit", "reset"]`. */
  path: string[];
  /** The part of it that was named: `["circuit"]` if the rest is its default, empty for `ralph` alone. */
  named: string[];
  rest: string[];
};

/** One-shot flags of the originals, and the commands that replace them. */
const ONE_SHOTS: Readonly<Record<string, readonly string[]>> = {
  "-s": ["status"],
  "--status": ["status"],
  "--circuit-status": ["circuit", "status"],
  "--reset-circuit": ["circuit", "reset"],
  "--reset-session": ["session", "reset"],
  // Ralph for Claude Code lists its backups where none is named.
  "--rollback": ["undo"],
};
const ALONE: typeof ONE_SHOTS = { "--rollback": ["checkpoints"] };

/**
 * Finds the command in a command line. Flags may stand before its name. `ralph "TEXT"` is `ralph run --task TEXT`; a
 * one-shot flag of the originals is the command that replaced it; `ralph MODE`, as KitStream ralph takes it, is
 * `ralph run MODE`; a link named `ralph-import` is `ralph import`.
 * @param program the name or path that ralph was started under
 * @param isMode whether the project has a prompt of that mode; asked only about a word that is no command
 * @throws RalphError `usage` for an unknown command, with the nearest one
 */
export function route(argv: readonly string[], program = "ralph", isMode: IsMode = () => false): Route {
  const linked = linkedCommand(program);
  return find(linked === undefined ? [...argv] : [linked, ...argv], isMode);
}

type IsMode = (word: string) => boolean;

function find(argv: string[], isMode: IsMode): Route {
  const at = firstWord(argv);
  const oneShot = argv.slice(0, at).findIndex((word) => Object.hasOwn(ONE_SHOTS, word));
  const flag = argv[oneShot] ?? "";
  const command = (argv[at] === undefined ? ALONE[flag] : undefined) ?? ONE_SHOTS[flag];
  if (command !== undefined) return find([...command, ...without(argv, oneShot)], isMode);
  const word = argv[at];
  // A command in most other programs.
  if (word === "version") return find(argv.with(at, "--version"), isMode);
  if (word === undefined || word === "--") return { path: ["run"], named: [], rest: argv };
  if (!Object.hasOwn(COMMANDS, word)) {
    if (/\s/.test(word.trim())) return { path: ["run"], named: ["run"], rest: argv.with(at, `--task=${word}`) };
    if (isMode(word)) return { path: ["run"], named: ["run"], rest: argv };
    // It may be the value of a flag that is misspelt: `ralph run` names that.
    if (hasUnknownFlag(argv.slice(0, at))) return { path: ["run"], named: [], rest: argv };
  }
  return descend(word, without(argv, at));
}

/** What other programs call a command of this one. */
const ELSEWHERE = new Map([
  ["init", "setup"],
  ["start", "run"],
]);

function descend(command: string, rest: string[]): Route {
  const definition = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
  if (definition === undefined)
    throw new RalphError(
      "usage",
      `There is no command ${JSON.stringify(command)}.${didYouMean(ELSEWHERE.get(command) ?? command, Object.keys(COMMANDS))}`,
      { hint: 'See ralph --help. A task is several words in quotes: ralph "Fix the failing tests"' },
    );
  if (!("subCommands" in definition)) return { path: [command], named: [command], rest };
  const at = firstWord(rest);
  const name = rest[at];
  const byDefault = { path: [command, definition.default], named: [command], rest };
  if (name === undefined) return byDefault;
  if (Object.hasOwn(definition.subCommands, name))
    return { path: [command, name], named: [command, name], rest: without(rest, at) };
  // The word may be the value of a flag that is misspelt: the default names that.
  if (definition.takesWord || hasUnknownFlag(rest.slice(0, at))) return byDefault;
  const names = Object.keys(definition.subCommands);
  throw new RalphError(
    "usage",
    `\`ralph ${command}\` has no command ${JSON.stringify(name)}.${didYouMean(name, names)}`,
    {
      hint: `It has: ${names.join(", ")}.`,
    },
  );
}

/** Position of the first word that is neither a flag nor a flag's value; the length if there is none. */
function firstWord(argv: readonly string[]): number {
  const [first] = argv;
  // Usually the command comes first. The table of flags, which costs a ms or two, is not needed then.
  if (first === undefined || !isFlag(first)) return 0;
  // If all words are flags, none of them takes the next word.
  if (argv.every(isFlag)) return argv.length;
  return tokenize(argv, everyFlag()).find(({ kind }) => kind !== "flag")?.index ?? argv.length;
}

/**
 * The flags of all commands: finding the command requires knowing which flags take a value. One that does so for any command is
 * taken to do so: its value must not pass for a command.
 */
function everyFlag(): FlagTable {
  const flags = Object.values(COMMANDS)
    .flatMap(commandsOf)
    .flatMap((command) => [...flagTable(command)]);
  return new Map(flags.toSorted(([, a], [, b]) => Number(takesNext(a)) - Number(takesNext(b))));
}

function hasUnknownFlag(argv: readonly string[]): boolean {
  const known = everyFlag();
  return tokenize(argv, known).some((token) => token.kind === "flag" && !known.has(token.spelling));
}

function without(argv: readonly string[], at: number): string[] {
  return argv.toSpliced(at, 1);
}
