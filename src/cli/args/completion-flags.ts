import { settingSpec } from "../../core/settings/settings.ts";
import { type Args, type CommandWords, type Completes, GLOBAL_ARGS } from "./define.ts";
import { aliasesOf, settingFlags, spell } from "./flags.ts";

/** A spelling of a flag as a shell shows it. */
export type OfferedFlag = {
  spelling: string;
  says: string;
  /** What may follow it; null for a switch, an empty list if nothing can be offered. */
  value: Completes | null;
  /** It may stand alone, so its value comes after a `=` and never as the next word. */
  alone?: true;
};

/** What the placeholders of values in the help mean. */
const HINTS: Readonly<Record<string, Completes>> = {
  FILE: "files",
  "FILE...": "files",
  DIR: "folders",
  RUN: "runs",
  MODE: "modes",
};

/** What can be offered for a value with this placeholder. */
export function offeredFor({ completes, valueHint = "" }: { completes?: Completes; valueHint?: string }): Completes {
  return completes ?? HINTS[valueHint] ?? [];
}

/** Every spelling of every flag of a command, with its help. */
export function offeredFlags({ args, settings }: Pick<CommandWords, "args" | "settings">): OfferedFlag[] {
  return [...settingFlags(settings).flatMap(ofSetting), ...ofArgs({ ...args, ...GLOBAL_ARGS })];
}

function ofArgs(args: Args): OfferedFlag[] {
  return Object.entries(args).flatMap(([name, arg]) => {
    if (arg.type === "positional") return [];
    const says = arg.description ?? "";
    const value = arg.type === "boolean" ? null : arg.type === "enum" ? (arg.options ?? []) : offeredFor(arg);
    const alone = arg.impliedValue === undefined ? {} : ({ alone: true } as const);
    const flags = [name, ...aliasesOf(arg)].map((one) => ({ spelling: spell(one), says, value, ...alone }));
    return arg.negatable ? [...flags, { spelling: `--no-${name}`, says: `not: ${says}`, value: null }] : flags;
  });
}

function ofSetting(setting: ReturnType<typeof settingFlags>[number]): OfferedFlag[] {
  const spec = settingSpec(setting);
  if (spec.flag === undefined) return [];
  const { name, short, hint } = spec.flag;
  const value = hint === undefined ? null : valuesOf(setting);
  const spellings = short === undefined ? [spell(name)] : [spell(name), spell(short)];
  const alone = spec.flag.alone === undefined ? {} : ({ alone: true } as const);
  const flags = spellings.map((spelling) => ({ spelling, says: spec.help, value, ...alone }));
  return hint === undefined ? [...flags, { spelling: `--no-${name}`, says: `not: ${spec.help}`, value: null }] : flags;
}

function valuesOf(setting: ReturnType<typeof settingFlags>[number]): Completes {
  if (setting === "PLATFORM_DRIVER") return "drivers";
  const spec = settingSpec(setting);
  if (spec.kind === "choice") return spec.options;
  if (spec.kind === "list") return spec.options ?? [];
  return offeredFor({ valueHint: spec.flag?.hint ?? "" });
}
