import { RalphError } from "../../core/errors.ts";
import { didYouMean } from "../../core/settings/suggest.ts";
import type { Definition } from "./define.ts";
import { COMMANDS } from "./definitions.ts";
import { type FlagTable, flagTable, isFlag, splitFlag } from "./flags.ts";

/** Which command is meant, and the words that are left for it. */
export type Route = {
  /** `["circuit", "reset"]`. */
  path: string[];
  definition: Definition;
  rest: string[];
  /** No command was named: it is `run`, and outside a project the card (product.md, "Commands"). */
  noCommand: boolean;
};

/** One-shot flags of the originals. */
const ONE_SHOTS: Readonly<Record<string, readonly string[]>> = {
  "-s": ["status"],
  "--status": ["status"],
  "--circuit-status": ["circuit", "status"],
  "--reset-circuit": ["circuit", "reset"],
  "--reset-session": ["session", "reset"],
};

/**
 * Finds the command in a command line. Flags may stand before its name. `ralph "TEXT"` is `ralph run --task TEXT`; a
 * one-shot flag of the originals is the command that took its place; a link named `ralph-import` is `ralph import`.
 * @param program the name that ralph was started under
 * @throws RalphError `usage` for an unknown command, naming the nearest one
 */
export function route(argv: readonly string[], program = "ralph"): Route {
  const linked = /^ralph-([a-z]+)(?:\.exe)?$/i.exec(program)?.[1];
  return find(linked === undefined ? [...argv] : [linked.toLowerCase(), ...argv]);
}

function find(argv: string[]): Route {
  const at = firstWord(argv);
  const oneShot = argv.slice(0, at).findIndex((word) => Object.hasOwn(ONE_SHOTS, word));
  if (oneShot !== -1) return find([...(ONE_SHOTS[argv[oneShot] ?? ""] ?? []), ...without(argv, oneShot)]);
  const word = argv[at];
  if (word === undefined || word === "--")
    return { path: ["run"], definition: commandNamed("run"), rest: argv, noCommand: true };
  if (!isCommand(word) && /\s/.test(word.trim())) {
    return { path: ["run"], definition: commandNamed("run"), rest: argv.with(at, `--task=${word}`), noCommand: false };
  }
  return descend([word], commandNamed(word), without(argv, at));
}

function descend(path: string[], definition: Definition, rest: string[]): Route {
  const { subCommands } = definition;
  if (subCommands === undefined) return { path, definition, rest, noCommand: false };
  const at = firstWord(rest);
  const asksForHelp = rest[at] === undefined && rest.some((word) => word === "-h" || word === "--help");
  if (asksForHelp) return { path, definition, rest, noCommand: false };
  const name = rest[at] ?? definition.default ?? "";
  const found = Object.hasOwn(subCommands, name) ? subCommands[name] : undefined;
  if (found !== undefined)
    return {
      path: [...path, name],
      definition: found,
      rest: at < rest.length ? without(rest, at) : rest,
      noCommand: false,
    };
  const names = Object.keys(subCommands);
  throw new RalphError(
    "usage",
    `ralph ${path.join(" ")} has no command ${JSON.stringify(name)}.${didYouMean(name, names)}`,
    {
      hint: `It has: ${names.join(", ")}.`,
    },
  );
}

/** Position of the first word that is neither a flag nor the value of one; the length if there is none. */
function firstWord(argv: readonly string[]): number {
  const [first] = argv;
  // As a rule the command comes first, and the table of flags, which costs a ms or two, is not needed.
  if (first === undefined || !isFlag(first)) return 0;
  // Of flags alone none takes the next word.
  if (argv.every(isFlag)) return argv.length;
  const flags = everyFlag();
  let at = 0;
  while (at < argv.length) {
    const word = argv[at] ?? "";
    if (!isFlag(word)) return at;
    const { spelling, value } = splitFlag(word);
    const flag = flags.get(spelling);
    const next = argv[at + 1];
    const takesNext =
      flag?.switchValue === null && flag.impliedValue === null && value === null && next !== undefined && !isFlag(next);
    at += takesNext ? 2 : 1;
  }
  return at;
}

/** The flags of all commands: before the command is known, it must be known which of them take a value. */
function everyFlag(): FlagTable {
  const tables = Object.values(COMMANDS).flatMap((command) => [command, ...Object.values(command.subCommands ?? {})]);
  return new Map(tables.flatMap((definition) => [...flagTable(definition)]));
}

function isCommand(word: string): boolean {
  return Object.hasOwn(COMMANDS, word);
}

function commandNamed(word: string): Definition {
  const found = isCommand(word) ? COMMANDS[word] : undefined;
  if (found !== undefined) return found;
  throw new RalphError(
    "usage",
    `ralph has no command ${JSON.stringify(word)}.${didYouMean(word, Object.keys(COMMANDS))}`,
    {
      hint: 'See ralph --help. A task is several words in quotes: ralph "Mend the failing tests"',
    },
  );
}

function without(argv: readonly string[], at: number): string[] {
  return argv.toSpliced(at, 1);
}
