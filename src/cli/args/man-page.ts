/** The man page, made from the program's own tables. */
import manifest from "../../../package.json" with { type: "json" };
import { ERROR_EXIT_CODES } from "../../core/errors.ts";
import { SETTING_NAMES, type SettingName, settingSpec } from "../../core/settings/settings.ts";
import { STOP_REASONS } from "../../core/stop/stop-reasons.ts";
import type { CommandTable } from "../command-table.ts";
import { type Arg, type Args, type CommandWords, commandsOf, GLOBAL_ARGS } from "./define.ts";
import { aliasesOf, settingFlags, spell } from "./flags.ts";

/**
 * `ralph.1` in man(7), which every man program can show.
 * @param date of the release, `2026-11-22`; "" in other builds
 */
export function manPage(commands: CommandTable, date = ""): string {
  const { version, description } = manifest;
  const lines = [
    `.TH RALPH 1 "${date}" "ralph ${version}" "User Commands"`,
    // A flag hyphenated at the end of a line could not be copied.
    ...[".nh", ".ad l"],
    ".SH NAME",
    `ralph \\- ${roff(lowerFirst(description))}`,
    ".SH SYNOPSIS",
    ...[".B ralph", "[\\fICOMMAND\\fR] [\\fIFLAGS\\fR]", ".br", ".B ralph", '"\\fITEXT\\fR"'],
    ".SH DESCRIPTION",
    roff(description),
    "Without a command it is",
    '.BR "ralph run" ;',
    "with a text in quotes it does that task, without any files.",
    ".SH COMMANDS",
    ...Object.values(commands).flatMap(commandsOf).flatMap(command),
    ".SH EVERY COMMAND",
    ...flags({ args: GLOBAL_ARGS, settings: [] }),
    ".SH SETTINGS",
    "A flag beats the environment, which beats",
    ".IR .ralph/.ralphrc ,",
    "which beats the default.",
    ...SETTING_NAMES.flatMap(setting),
    ".SH EXIT STATUS",
    ...exitCodes().flatMap(([code, when]) => [".TP", `.B ${code}`, roff(when)]),
    ".SH FILES",
    ...[".TP", ".I .ralph/", "prompt, plan, settings and the journals of all runs of a project"],
    ".SH SEE ALSO",
    "ralph COMMAND \\-\\-help",
  ];
  return `${lines.join("\n")}\n`;
}

function command({ meta, args, settings, examples }: CommandWords): string[] {
  const words = Object.entries(args).flatMap(([name, arg]) => {
    if (arg.type !== "positional") return [];
    const word = `\\fI${roff(arg.valueHint ?? name.toUpperCase())}\\fR`;
    return [arg.required ? word : `[${word}]`];
  });
  const ownSettings =
    settings.length === SETTING_NAMES.filter((name) => settingSpec(name).flag !== undefined).length ? [] : settings;
  return [
    `.SS "ralph ${meta.name}${words.length === 0 ? "" : ` ${words.join(" ")}`}"`,
    `${roff(upperFirst(meta.description))}.`,
    ...(ownSettings === settings ? [] : ["Takes the flags of all settings below."]),
    ...flags({ args, settings: ownSettings }),
    ...examples.flatMap(([line, does]) => [".PP", ".nf", `.B ${roff(line)}`, ".fi", ".RS 4", roff(does), ".RE"]),
  ];
}

/** A command's own flags and those of its settings; common flags have their own section. */
function flags({ args, settings }: { args: Args; settings: readonly SettingName[] }): string[] {
  const everywhere = settingFlags([]);
  const shown = settings.length === 0 && args !== GLOBAL_ARGS ? [] : settingFlags(settings);
  return [
    ...Object.entries(args).flatMap(([name, arg]) => flag(name, arg)),
    ...shown.filter((name) => args === GLOBAL_ARGS || !everywhere.includes(name)).flatMap(settingFlag),
  ];
}

function flag(name: string, arg: Arg): string[] {
  if (arg.type === "positional") return [];
  const spellings = [...aliasesOf(arg), name].map(spell);
  if (arg.negatable) spellings.push(spell(`no-${name}`));
  const hint = arg.type === "boolean" ? undefined : (arg.valueHint ?? "VALUE");
  return tagged(spellings, withHint(hint, arg.impliedValue !== undefined), arg.description ?? "");
}

function settingFlag(name: SettingName): string[] {
  const { flag: spec, help } = settingSpec(name);
  return spec === undefined
    ? []
    : tagged(settingSpellings(name), withHint(spec.hint, spec.alone !== undefined), `${help} (${name})`);
}

/** The spelling of a setting's flag; for a switch that is on, the flag that turns it off too. */
function settingSpellings(name: SettingName): string[] {
  const { flag: spec, default: value } = settingSpec(name);
  if (spec === undefined) return [];
  const names = [...(spec.short === undefined ? [] : [spec.short]), spec.name];
  return [...names, ...(spec.hint === undefined && String(value) === "true" ? [`no-${spec.name}`] : [])].map(spell);
}

function setting(name: SettingName): string[] {
  const { flag: spec, default: value, help } = settingSpec(name);
  const shown = value === null ? "none" : Array.isArray(value) ? value.join(",") : String(value);
  const spelled =
    spec === undefined
      ? ""
      : ` Flag: ${settingSpellings(name).join(", ")}${spec.hint === undefined ? "" : spec.alone === undefined ? ` ${spec.hint}` : `[=${spec.hint}]`}.`;
  return [".TP", `.B ${roff(name)}`, roff(`${upperFirst(help)}. Default: ${shown === "" ? "none" : shown}.${spelled}`)];
}

/** The placeholder of a value; of a flag that may stand alone with the `=` that it then needs. */
function withHint(hint: string | undefined, alone: boolean): string {
  if (hint === undefined) return "";
  return alone ? `[=\\fI${roff(hint)}\\fR]` : ` \\fI${roff(hint)}\\fR`;
}

function tagged(spellings: readonly string[], hint: string, says: string): string[] {
  const shown = spellings.map((one) => `\\fB${roff(one)}\\fR`).join(", ");
  return [".TP", shown + hint, roff(says)];
}

function exitCodes(): [string, string][] {
  const codes = new Map<number, string[]>();
  const add = (code: number, words: string) => codes.set(code, [...(codes.get(code) ?? []), words]);
  for (const [reason, { exit }] of Object.entries(STOP_REASONS)) add(exit, reason);
  for (const [code, exit] of Object.entries(ERROR_EXIT_CODES)) add(exit, `${code} error`);
  return [...codes].sort(([a], [b]) => a - b).map(([code, reasons]) => [String(code), reasons.join(", ")]);
}

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const lowerFirst = (text: string) => (text.charAt(0).toLowerCase() + text.slice(1)).replace(/\.$/, "");

/**
 * Escapes text for man(7): backslashes, a dot or apostrophe at the start of a line, and characters other than ASCII.
 * Allows a line break after the commas of a list without blanks.
 */
function roff(text: string): string {
  return text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replaceAll('"', "\\(dq")
    .replace(/[^\0-\x7f]/gu, (sign) => `\\[u${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`)
    .replace(/,(?=\S)/g, ",\\:")
    .replace(/^(?=[.'])/, "\\&");
}
