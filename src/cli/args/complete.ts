import { COMMANDS, type CommandTable } from "../command-table.ts";
import { RUN } from "../definitions/run.ts";
import { type OfferedFlag, offeredFlags, offeredFor } from "./completion-flags.ts";
import type { CommandWords, Completes } from "./define.ts";

/** One thing that a shell may offer. */
export type Offer = { value: string; says: string };

/** What to offer: words, or files or folders, which the shell finds itself. */
export type Offers = { kind: "words"; words: Offer[] } | { kind: "files" | "folders" };

/** Names that only the project knows. */
export type Things = { drivers(): string[]; runs(): string[]; modes(): string[] };

const NOTHING: Offers = { kind: "words", words: [] };

/**
 * What may stand at the cursor of a command line.
 * @param words the words before the current one, without `ralph`
 * @param current the part of the current word before the cursor
 */
export function complete(words: readonly string[], current: string, things: Things): Offers {
  const { command, rest, next } = descend(words);
  const flags = offeredFlags(command);
  const open = rest.includes("--") ? undefined : takesValue(flags, rest.at(-1));
  if (open !== undefined) return offer(open, current, things);
  const equals = /^(--[^=]+=)(.*)$/s.exec(current);
  if (equals !== null) {
    const [, prefix = "", part = ""] = equals;
    const value = flags.find(({ spelling }) => `${spelling}=` === prefix)?.value ?? [];
    return prefixed(prefix, offer(value, part, things));
  }
  if (current.startsWith("-") && !rest.includes("--"))
    return wordsFrom(
      flags.map(({ spelling, says }) => ({ value: spelling, says })),
      current,
    );
  if (next !== null) return wordsFrom(named(next), current);
  const positional = positionalAt(command, placed(flags, rest).length);
  return positional === undefined ? NOTHING : offer(offeredFor(positional), current, things);
}

type Found = {
  command: Pick<CommandWords, "args" | "settings">;
  /** The words after the command's name. */
  rest: readonly string[];
  /** The commands that may come next; null if the command has none. */
  next: CommandTable | null;
};

/** A command without flags of its own. */
const PLAIN = { args: {}, settings: [] };

/** The command that the words name so far. Without a name it is `run`, whose flags may stand alone. */
function descend(words: readonly string[]): Found {
  let found: Found = { command: RUN, rest: words, next: COMMANDS };
  while (found.next !== null) {
    const { command, rest, next }: Found = found;
    const [name] = placed(offeredFlags(command), rest);
    if (name === undefined) return found;
    const definition = Object.hasOwn(next, name) ? next[name] : undefined;
    if (definition === undefined) return { command, rest, next: null };
    const behind = rest.toSpliced(rest.indexOf(name), 1);
    found =
      "subCommands" in definition
        ? // Its default command need not be named.
          {
            command: definition.subCommands[definition.default] ?? PLAIN,
            rest: behind,
            next: definition.subCommands,
          }
        : { command: definition, rest: behind, next: null };
  }
  return found;
}

function named(commands: CommandTable): Offer[] {
  return Object.entries(commands).map(([value, { meta }]) => ({ value, says: meta.description }));
}

/** The words that are neither flags nor their values. */
function placed(flags: readonly OfferedFlag[], words: readonly string[]): string[] {
  const end = words.indexOf("--");
  const before = end === -1 ? words : words.slice(0, end);
  const found = before.filter((word, at) => !word.startsWith("-") && takesValue(flags, before[at - 1]) === undefined);
  return end === -1 ? found : [...found, ...words.slice(end + 1)];
}

/** What may follow a word; undefined unless it is a flag that still needs a value. */
function takesValue(flags: readonly OfferedFlag[], word: string | undefined): Completes | undefined {
  return flags.find(({ spelling, alone }) => spelling === word && !alone)?.value ?? undefined;
}

function positionalAt({ args }: Pick<CommandWords, "args">, index: number) {
  const positionals = Object.values(args).filter((arg) => arg.type === "positional");
  return positionals[index] ?? positionals.find((arg, at) => arg.repeat && at <= index);
}

function offer(what: Completes, current: string, things: Things): Offers {
  switch (what) {
    case "files":
    case "folders":
      return { kind: what };
    case "drivers":
    case "runs":
    case "modes":
      return wordsFrom(things[what]().map(plain), current);
    case "commands":
      return wordsFrom([...named(COMMANDS), { value: "exit-codes", says: "every way a run can end" }], current);
    default:
      return wordsFrom(what.map(plain), current);
  }
}

const plain = (value: string): Offer => ({ value, says: "" });

function wordsFrom(offers: readonly Offer[], current: string): Offers {
  return { kind: "words", words: offers.filter(({ value }) => value.startsWith(current)) };
}

function prefixed(prefix: string, offers: Offers): Offers {
  if (offers.kind !== "words") return offers;
  return { kind: "words", words: offers.words.map(({ value, says }) => ({ value: prefix + value, says })) };
}
