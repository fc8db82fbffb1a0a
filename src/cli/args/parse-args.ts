import { RalphError } from "../../core/errors.ts";
import type { FlagSettings } from "../../core/settings/resolve-settings.ts";
import { type SettingName, settingSpec } from "../../core/settings/settings.ts";
import { didYouMean } from "../../core/settings/suggest.ts";
import { type Arg, type Args, type ArgValues, type CommandWords, GLOBAL_ARGS, type GlobalValues } from "./define.ts";
import { type Flag, type FlagTable, flagTable, isFlag, takesNext } from "./flags.ts";
import { tokenize } from "./tokens.ts";

export type ParsedArgs<A extends Args> = {
  args: ArgValues<A> & GlobalValues;
  /** Settings given as flags, not yet checked: `resolveSettings` does that. */
  settings: FlagSettings;
  /** Long names of the given flags, and names of the given positionals. */
  given: string[];
};

type Value = string | boolean | string[] | undefined;

type Reading = {
  flags: Map<string, string | boolean | string[]>;
  settings: Partial<Record<SettingName, { text: string; flag: string }>>;
  words: string[];
  given: Set<string>;
  /** A word behind a flag that may stand alone, which does not take it: perhaps it is meant as its value. */
  stray: { word: string; spelling: string } | null;
};

/**
 * Parses the words after a command's name strictly: anything that the definition does not name is an error. Accepts
 * `--flag value` and `--flag=value`, no bundled short flags. The last of a repeated flag counts, unless it may repeat; after `--` nothing is
 * a flag.
 * @throws RalphError `usage`, with the likeliest intended name
 */
export function parseArgs<A extends Args>(command: CommandWords<A>, argv: readonly string[]): ParsedArgs<A> {
  const reading = readWords(command, argv);
  const { given } = reading;
  const values: Record<string, Value> = {};
  for (const [name, arg] of Object.entries({ ...GLOBAL_ARGS, ...command.args } as Args)) {
    if (arg.type === "positional") continue;
    values[name] = reading.flags.get(name) ?? absent(arg);
  }
  const asksForText = given.has("help") || given.has("version");
  Object.assign(values, positionals(command, reading, !asksForText));
  if (!asksForText) refuseExclusive(command, values, reading);
  // The loop above gives each name the value that ArgValues promises; the compiler can't follow it through the table.
  return { args: values as ParsedArgs<A>["args"], settings: reading.settings, given: [...given] };
}

function absent(arg: Arg): Value {
  if (arg.repeat) return [];
  return arg.type === "boolean" && !arg.negatable ? false : undefined;
}

function readWords(command: CommandWords, argv: readonly string[]): Reading {
  // The table of a command with all settings has some 250 spellings.
  const table: FlagTable = argv.some(isFlag) ? flagTable(command) : new Map();
  const reading: Reading = { flags: new Map(), settings: {}, words: [], given: new Set(), stray: null };
  for (const token of tokenize(argv, table)) {
    if (token.kind === "word") reading.words.push(argv[token.index] ?? "");
    if (token.kind !== "flag") continue;
    const { spelling, value } = token;
    const flag = table.get(spelling);
    if (flag === undefined) throw unknownFlag(spelling, table, command);
    const isNext = value === null && takesNext(flag);
    record(reading, spelling, flag, isNext ? nextValue(argv[token.index + 1], spelling, flag) : value);
    const next = argv[token.index + 1];
    if (value === null && flag.impliedValue !== null && next !== undefined && next !== "--" && !isFlag(next)) {
      refuseOption(next, spelling, flag);
      reading.stray ??= { word: next, spelling };
    }
  }
  return reading;
}

/** A choice such as `--sandbox docker`, which would silently be another one, and docker something else. */
function refuseOption(word: string, spelling: string, { setting }: Flag): void {
  const spec = setting === null ? null : settingSpec(setting);
  if (spec?.kind === "choice" && spec.options.includes(word))
    throw usage(`${spelling} takes its value after a =.`, `Write ${spelling}=${word}`);
}

function strayHint({ word, spelling }: NonNullable<Reading["stray"]>): string {
  return `If ${word} is the value of ${spelling}, write ${spelling}=${word}`;
}

function nextValue(word: string | undefined, spelling: string, flag: Flag): string {
  if (word === undefined || word === "--") throw usage(`${spelling} needs a value (${flag.hint}).`);
  if (!isFlag(word)) return word;
  throw usage(
    `${spelling} needs a value (${flag.hint}), and ${word} is a flag.`,
    `If it is the value, write ${spelling}=${word}`,
  );
}

function record(reading: Reading, spelling: string, flag: Flag, text: string | null): void {
  if (flag.switchValue !== null && text !== null)
    throw usage(`${spelling} takes no value.`, `Write ${spelling} alone, or leave it out.`);
  const value = text ?? flag.switchValue ?? flag.impliedValue ?? "";
  if (value === "" && flag.impliedValue !== "")
    throw usage(`${spelling} needs a value (${flag.hint}), and it is empty.`);
  if (flag.options !== null && typeof value === "string" && !flag.options.includes(value)) {
    throw usage(
      `${spelling} ${value} is not allowed: it must be one of ${flag.options.join(", ")}.${didYouMean(value, flag.options)}`,
    );
  }
  reading.given.add(flag.name);
  if (flag.setting === null) {
    const earlier = reading.flags.get(flag.name);
    const values = Array.isArray(earlier) ? [...earlier, String(value)] : [String(value)];
    reading.flags.set(flag.name, flag.repeat ? values : value);
  } else reading.settings[flag.setting] = { text: String(value), flag: spelling };
}

function positionals(command: CommandWords, { words, given, stray }: Reading, strict: boolean): Record<string, Value> {
  const values: Record<string, Value> = {};
  let rest = [...words];
  for (const [name, arg] of Object.entries(command.args)) {
    if (arg.type !== "positional") continue;
    const taken = arg.repeat ? rest : rest.slice(0, 1);
    rest = rest.slice(taken.length);
    if (taken.length > 0) given.add(name);
    else if (arg.required && strict)
      throw usage(`${arg.valueHint ?? name} is missing.`, `See ralph ${command.meta.name} --help`);
    if (taken[0] === "" && strict)
      throw usage(`${arg.valueHint ?? name} is empty.`, `See ralph ${command.meta.name} --help`);
    values[name] = arg.repeat ? taken : taken[0];
  }
  if (rest[0] !== undefined && strict) {
    throw usage(
      `${JSON.stringify(rest[0])} is one word too many for ralph ${command.meta.name}.`,
      stray === null ? `See ralph ${command.meta.name} --help` : strayHint(stray),
    );
  }
  return values;
}

function refuseExclusive(command: CommandWords, values: Record<string, Value>, { given, stray }: Reading): void {
  const shown = (name: string) =>
    command.args[name]?.type === "positional" ? `${name} ${JSON.stringify([values[name]].flat()[0])}` : `--${name}`;
  for (const group of command.exclusive ?? []) {
    const [first, second] = group.filter((name) => given.has(name));
    if (first === undefined || second === undefined) continue;
    throw usage(
      `${shown(first)} and ${shown(second)} exclude each other.`,
      stray === null ? "Leave one of them out." : strayHint(stray),
    );
  }
}

function unknownFlag(spelling: string, table: FlagTable, command: CommandWords): RalphError {
  const name = command.meta.name;
  const letters = spelling.slice(1);
  const bundled =
    !spelling.startsWith("--") && letters.length > 1 && [...letters].every((letter) => table.has(`-${letter}`));
  if (bundled) {
    return usage(
      `${spelling}: short flags cannot be bundled.`,
      `Write ${[...letters].map((letter) => `-${letter}`).join(" ")}`,
    );
  }
  const long = [...table.keys()].filter((candidate) => candidate.startsWith("--"));
  return usage(
    `There is no flag ${spelling} of \`ralph ${name}\`.${letters.length > 1 ? didYouMean(spelling, long) : ""}`,
    `See ralph ${name} --help`,
  );
}

function usage(message: string, hint: string | null = null): RalphError {
  return new RalphError("usage", message, { hint });
}
