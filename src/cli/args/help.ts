import { ERROR_EXIT_CODES } from "../../core/errors.ts";
import { type SettingName, settingSpec } from "../../core/settings/settings.ts";
import { STOP_REASONS } from "../../core/stop/stop-reasons.ts";
import { wrap } from "../../view/text/text.ts";
import type { CommandTable } from "../command-table.ts";
import {
  type Arg,
  type Args,
  type CommandGroup,
  type CommandWords,
  type Definition,
  type Example,
  type FlagGroup,
  GLOBAL_ARGS,
} from "./define.ts";
import { aliasesOf, settingFlags } from "./flags.ts";
import { indented, twoColumns } from "./wrap.ts";

/** Help never grows wider than this. A narrower terminal gets narrower help. */
const WIDTH = 80;
const COMMAND_COLUMN = 19;
const FLAG_COLUMN = 30;
const SCREEN_ROWS = 24;

/** Headings of the groups of flags, in their order. */
const HEADINGS: Readonly<Record<FlagGroup, string>> = {
  task: "What to do",
  project: "Project",
  agent: "Agent",
  bounds: "Bounds",
  session: "Session",
  breaker: "Circuit breaker",
  done: "Done",
  review: "Reviews",
  git: "Git steps",
  fleet: "Several workers",
  machines: "Other machines",
  output: "Output",
  ralph: "Ralph",
  everywhere: "Every command",
};

/** The commands by purpose, related ones on one line. Commands that are missing here come last. */
const OVERVIEW: readonly (readonly [heading: string, lines: readonly (readonly string[])[]])[] = [
  ["Begin", [["setup", "enable"], ["import"], ["demo"], ["doctor"]]],
  [
    "Run and steer",
    [["run", "worktrees"], ["swarm", "fleet"], ["land"], ["inbox", "say"], ["stop", "extend"], ["pause", "resume"]],
  ],
  [
    "Watch and look back",
    [
      ["status", "ps", "ui"],
      ["monitor", "attach"],
      ["logs", "replay"],
      ["report", "diff"],
      ["undo", "checkpoints"],
      ["runs", "stats"],
    ],
  ],
  ["Ask why", [["plan"], ["prompt", "analyze"], ["config", "trust"], ["gates"], ["circuit"], ["session"], ["drivers"]]],
  ["This program", [["update"], ["completions"], ["help", "man"]]],
];

const ABOUT_SETTINGS =
  "Defaults stand in brackets. Settings may also stand in .ralph/.ralphrc or in the environment: ralph config shows them all.";

type Row = readonly [label: string, text: string];

/** `ralph --help`: fits on one screen. */
export function overview(commands: CommandTable, columns = WIDTH): string {
  const width = Math.min(columns, WIDTH);
  return text([
    ...wrap("ralph runs a coding agent again and again until the work is really done.", width),
    "",
    ...twoColumns(
      [
        ["  ralph [FLAGS]", "the loop in this project: the same as ralph run"],
        ['  ralph "TEXT"', "do TEXT, without any files"],
      ],
      COMMAND_COLUMN,
      width,
    ),
    ...overviewGroups(commands).flatMap(([heading, rows]) => ["", heading, ...twoColumns(rows, COMMAND_COLUMN, width)]),
    "",
    ...wrap("More: ralph COMMAND --help, ralph help exit-codes", width),
  ]);
}

function overviewGroups(commands: CommandTable): [string, Row[]][] {
  const placed = new Set(OVERVIEW.flatMap(([, lines]) => lines.flat()));
  const others = Object.keys(commands).filter((name) => !placed.has(name));
  return OVERVIEW.map(([heading, lines], index): [string, Row[]] => {
    const all = index === OVERVIEW.length - 1 ? [...lines, ...others.map((name) => [name])] : lines;
    return [heading, all.flatMap((names) => overviewRow(names, commands))];
  }).filter(([, rows]) => rows.length > 0);
}

function overviewRow(names: readonly string[], commands: CommandTable): Row[] {
  const known = names.filter((name) => Object.hasOwn(commands, name));
  const first = commands[known[0] ?? ""];
  return first === undefined ? [] : [[`  ${known.join(", ")}`, first.meta.description]];
}

/** `ralph COMMAND --help`. */
export function commandHelp(definition: Definition, columns = WIDTH): string {
  const { meta, examples } = definition;
  const group = "subCommands" in definition ? definition : null;
  const { args, settings } = "subCommands" in definition ? usualOf(definition) : definition;
  const width = Math.min(columns, WIDTH);
  const names = group === null ? Object.entries<Arg>(args).filter(([, arg]) => arg.type === "positional") : [];
  const placed = names.map(([name, arg]): Row => [`  ${placeholder(name, arg)}`, arg.description ?? ""]);
  const words = names.map(([name, arg]) =>
    arg.type === "positional" && arg.required ? placeholder(name, arg) : `[${placeholder(name, arg)}]`,
  );
  const below = group === null ? [] : commandRows(group);
  return text([
    ...wrap(`ralph ${meta.name}: ${meta.description}`, width),
    "",
    `Usage: ralph ${[meta.name, ...(group === null ? words : ["[COMMAND]"]), "[FLAGS]"].join(" ")}`,
    ...section("", twoColumns([...placed, ...below], FLAG_COLUMN, width)),
    "",
    ...flagSections({ args, settings }, width),
    ...section("Examples", exampleLines(examples, width)),
    ...(settings.length > 1 ? ["", ...wrap(ABOUT_SETTINGS, width)] : []),
  ]);
}

/** The commands of a group. */
function commandRows(group: CommandGroup): Row[] {
  return Object.entries(group.subCommands).map(([key, { meta }]) => {
    const note = key === group.default ? " (default)" : "";
    return [`  ralph ${meta.name}`, `${meta.description}${note}`];
  });
}

/** What stands after a group's name alone belongs to the command that it then is. */
function usualOf({ subCommands, default: usual }: CommandGroup): Pick<CommandWords, "args" | "settings"> {
  return subCommands[usual] ?? { args: {}, settings: [] };
}

/** `ralph help exit-codes`: every way to end, by exit code. */
export function exitCodesHelp(columns = WIDTH): string {
  const width = Math.min(columns, WIDTH);
  const usage: readonly [number, string, string] = [
    ERROR_EXIT_CODES.usage,
    "usage, config",
    "Wrong use: a flag, a value, a setting.",
  ];
  const rows = Object.entries(STOP_REASONS).map(([reason, stop]) => [stop.exit, reason, stop.text] as const);
  const sorted = [...rows, usage].sort(([a], [b]) => a - b);
  return text([
    ...wrap("How ralph ends: its exit code, the stop reason, and what it means.", width),
    "",
    ...twoColumns(
      sorted.map(([code, reason, meaning]): Row => [`  ${String(code).padStart(3)}  ${reason}`, meaning]),
      FLAG_COLUMN + 2,
      width,
    ),
  ]);
}

/** `ralph COMMAND -h`: where the whole help leaves a usual screen, its commands, and its own flags without what they do. */
export function shortHelp(definition: Definition, columns = WIDTH): string {
  const whole = commandHelp(definition, columns);
  if (whole.split("\n").length <= SCREEN_ROWS) return whole;
  const width = Math.min(columns, WIDTH);
  const isGroup = "subCommands" in definition;
  const own = flagGroups(isGroup ? usualOf(definition) : definition).filter(
    ([heading]) => heading !== HEADINGS.everywhere,
  );
  const groups = own.map(([heading, rows]): Row => {
    const flags = rows.map(([spelling]) => spelling.replace(/^ +(?:-\w, )?/, ""));
    return [`  ${heading}`, flags.join(", ")];
  });
  const [about = "", usage = ""] = whole.split("\n\n", 2);
  const commands = isGroup ? twoColumns(commandRows(definition), FLAG_COLUMN, width) : [];
  const head = [about, "", usage, ...section("", commands)];
  const flags = ["", ...twoColumns(groups, COMMAND_COLUMN, width)];
  const more = `ralph ${definition.meta.name} --help`;
  // Whoever looks at a group looks for its commands.
  const hasRoom = !isGroup || head.length + flags.length + 2 <= SCREEN_ROWS;
  return text([
    ...head,
    ...(hasRoom ? flags : []),
    "",
    ...wrap(hasRoom ? `What each does, those of every command, examples: ${more}` : `Flags, examples: ${more}`, width),
  ]);
}

function flagSections(words: Pick<CommandWords, "args" | "settings">, width: number): string[] {
  const sections = flagGroups(words).map(([heading, rows]) => section(heading, twoColumns(rows, FLAG_COLUMN, width)));
  return sections.flat().slice(1);
}

/** The flags by purpose. */
function flagGroups({ args, settings }: Pick<CommandWords, "args" | "settings">): [heading: string, rows: Row[]][] {
  const own = Object.entries({ ...args, ...GLOBAL_ARGS } as Args).filter(([, arg]) => arg.type !== "positional");
  const rows = [
    ...settingFlags(settings).map((name) => ({ group: groupOf(name), row: settingRow(name) })),
    ...own.map(([name, arg]) => ({ group: arg.group ?? "output", row: argRow(name, arg) })),
  ];
  return Object.entries(HEADINGS).flatMap(([group, heading]) => {
    const found = rows.filter((entry) => entry.group === group).map(({ row }) => row);
    return found.length === 0 ? [] : [[heading, found] satisfies [string, Row[]]];
  });
}

/** A blank line, the heading and the lines; nothing if there are no lines. */
function section(heading: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  return heading === "" ? ["", ...lines] : ["", heading, ...lines];
}

function groupOf(name: SettingName): FlagGroup {
  const { flag, group } = settingSpec(name);
  return flag?.everywhere ? "everywhere" : group;
}

function settingRow(name: SettingName): Row {
  const spec = settingSpec(name);
  if (spec.flag === undefined) return ["", ""];
  const { short, hint, alone } = spec.flag;
  const isOn = hint === undefined && (spec.default === true || spec.default === "true");
  const shown = hint !== undefined && (typeof spec.default === "number" || typeof spec.default === "string");
  const note = shown ? ` (${spec.default})` : isOn ? " (yes)" : "";
  return [label(short, isOn ? `[no-]${spec.flag.name}` : spec.flag.name, hint, alone !== undefined), spec.help + note];
}

function argRow(name: string, arg: Arg): Row {
  const [short] = aliasesOf(arg);
  const hint = arg.type === "boolean" ? undefined : (arg.valueHint ?? "VALUE");
  const negatable = arg.negatable && arg.type === "boolean";
  const alone = arg.impliedValue !== undefined;
  return [label(short, negatable ? `[no-]${name}` : name, hint, alone), arg.description ?? ""];
}

/** @param alone whether the flag may stand alone: its value then comes after a `=` */
function label(short: string | undefined, long: string, hint: string | undefined, alone: boolean): string {
  const dash = short === undefined ? "    " : `-${short}, `;
  const value = hint === undefined ? "" : alone ? `[=${hint}]` : ` ${hint}`;
  return `  ${dash}--${long}${value}`;
}

function placeholder(name: string, arg: Arg): string {
  return arg.valueHint ?? name.toUpperCase();
}

function exampleLines(examples: readonly Example[], width: number): string[] {
  return examples.flatMap(([command, does]) => [`  ${command}`, ...indented(does, width)]);
}

function text(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}
