import { SETTING_NAMES, type SettingName, settingSpec } from "../../core/settings/settings.ts";
import { type Arg, type Args, type CommandWords, GLOBAL_ARGS } from "./define.ts";

/** What one spelling of a flag (`--calls`, `-c`, `--no-continue`) stands for. */
export type Flag = {
  /** Long name without dashes. */
  name: string;
  /** The setting it sets; null for a flag of the command itself. */
  setting: SettingName | null;
  /** The value of a switch; null for a flag that takes a value. */
  switchValue: boolean | null;
  /** The placeholder of the value in messages. */
  hint: string;
  /** The value when the flag stands alone; null if a value is required. */
  impliedValue: string | null;
  options: readonly string[] | null;
  /** It may stand several times, and each value counts. */
  repeat: boolean;
};

export type FlagTable = ReadonlyMap<string, Flag>;

const FLAG = /^--?[A-Za-z][A-Za-z0-9-]*(=|$)/;

/** Whether a word of the command line is a flag: `-5`, `-` and a text such as `- do this` are not. */
export function isFlag(word: string): boolean {
  return FLAG.test(word);
}

/** Whether a flag without `=` takes the next word as its value. */
export function takesNext({ switchValue, impliedValue }: Flag): boolean {
  return switchValue === null && impliedValue === null;
}

/** Every spelling of every flag that a command understands. */
export function flagTable(command: Pick<CommandWords, "args" | "settings">): FlagTable {
  const table = new Map<string, Flag>();
  for (const [name, arg] of Object.entries({ ...GLOBAL_ARGS, ...command.args } as Args)) addArg(table, name, arg);
  for (const name of settingFlags(command.settings)) addSetting(table, name);
  return table;
}

/** The settings of a command that have flags, with the global ones, in the order of the table. */
export function settingFlags(settings: readonly SettingName[]): SettingName[] {
  return SETTING_NAMES.filter((name) => {
    const flag = settingSpec(name).flag;
    return flag !== undefined && (flag.everywhere === true || settings.includes(name));
  });
}

export function aliasesOf(arg: Arg): string[] {
  if (arg.type === "positional" || arg.alias === undefined) return [];
  return typeof arg.alias === "string" ? [arg.alias] : arg.alias;
}

function addArg(table: Map<string, Flag>, name: string, arg: Arg): void {
  if (arg.type === "positional") return;
  const isSwitch = arg.type === "boolean";
  const options = arg.type === "enum" ? (arg.options ?? null) : null;
  const hint = arg.valueHint ?? "VALUE";
  const flag: Flag = {
    name,
    setting: null,
    switchValue: isSwitch ? true : null,
    hint,
    impliedValue: arg.impliedValue ?? null,
    options,
    repeat: arg.repeat ?? false,
  };
  for (const spelling of [name, ...aliasesOf(arg)]) table.set(spell(spelling), flag);
  if (arg.negatable) table.set(`--no-${name}`, { ...flag, switchValue: false });
}

function addSetting(table: Map<string, Flag>, setting: SettingName): void {
  const spec = settingSpec(setting);
  if (spec.flag === undefined) return;
  const { name, short, old = [], hint, alone = null } = spec.flag;
  const flag: Flag = {
    name,
    setting,
    switchValue: hint === undefined ? true : null,
    hint: hint ?? "",
    impliedValue: alone,
    options: null,
    repeat: false,
  };
  for (const spelling of [name, ...(short === undefined ? [] : [short]), ...old]) table.set(spell(spelling), flag);
  if (hint === undefined) table.set(`--no-${name}`, { ...flag, switchValue: false });
}

/** A flag as it is typed. */
export function spell(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}
