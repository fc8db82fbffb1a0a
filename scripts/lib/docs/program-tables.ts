/** What the pages say of commands, settings, exit codes and agents, made from the program's own tables. */
import { commandsOf, type Definition } from "../../../src/cli/args/define.ts";
import { commandHelp } from "../../../src/cli/args/help.ts";
import { COMMANDS } from "../../../src/cli/command-table.ts";
import { ERROR_EXIT_CODES } from "../../../src/core/errors.ts";
import { SETTING_NAMES, type SettingName, settingSpec } from "../../../src/core/settings/settings.ts";
import { STOP_REASONS } from "../../../src/core/stop/stop-reasons.ts";
import type { Driver } from "../../../src/driver.ts";
import { BUILT_IN_DRIVERS } from "../../../src/driver-host/registry.ts";
import { table } from "./table.ts";

/** Headings of the groups of settings, in the order in which a reader looks for them. */
const SETTING_GROUPS: Readonly<Record<string, string>> = {
  task: "What is sent",
  agent: "The agent, and what it may do",
  session: "Its conversation",
  bounds: "Bounds",
  done: "When it is done",
  review: "Reviews",
  breaker: "When it is stuck",
  project: "The project",
  git: "Git steps",
  ralph: "ralph itself",
};

const HELP_COLUMNS = 80;
/** What stands in the help of each command, and on the page once. */
const EVERYWHERE = "Every command\n";

/** Each command with what it does, linked to its help below. */
export function commandsTable(): string {
  return table(
    ["command", "what it does"],
    Object.entries(COMMANDS).map(([name, { meta }]) => [`[\`ralph ${name}\`](#ralph-${name})`, meta.description]),
  );
}

/** The help of every command and of those below it, each under a heading. */
export function commandsHelp(): string {
  const shown = new Map<string, string>();
  const about = Object.entries(COMMANDS).map(([name, definition]) => {
    const help = helpSections(definition, name);
    // An alias has the same help as another command, but for its name.
    const same = shown.get(help.replaceAll(`ralph ${name}`, "ralph NAME"));
    shown.set(help.replaceAll(`ralph ${name}`, "ralph NAME"), name);
    if (same !== undefined || /^the same as/.test(definition.meta.description))
      return `## ralph ${name}\n\n${capital(definition.meta.description)}.`;
    return `## ralph ${name}\n\n${help}`;
  });
  return about.join("\n\n");
}

/** The flags that every command has. */
export function flagsOfAll(): string {
  const sections = commandHelp(COMMANDS.status as Definition, HELP_COLUMNS).split("\n\n");
  const [, ...lines] = (sections.find((section) => section.startsWith(EVERYWHERE)) ?? "").trimEnd().split("\n");
  return fenced(lines.join("\n"));
}

function helpSections(definition: Definition, name: string): string {
  const own = fenced(withoutEverywhere(commandHelp(definition, HELP_COLUMNS)));
  const below = commandsOf(definition).filter(({ meta }) => meta.name !== name);
  return [
    own,
    ...below.map((one) => `### ralph ${one.meta.name}\n\n${fenced(withoutEverywhere(commandHelp(one, HELP_COLUMNS)))}`),
  ].join("\n\n");
}

function withoutEverywhere(help: string): string {
  const sections = help.trimEnd().split("\n\n");
  return sections.filter((section) => !section.startsWith(EVERYWHERE)).join("\n\n");
}

const fenced = (text: string) => `\`\`\`text\n${text}\n\`\`\``;
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The settings by what they are about. @throws if a setting is of a group that has no heading */
export function settingsTables(): string {
  const groups = new Map<string, SettingName[]>(Object.keys(SETTING_GROUPS).map((group) => [group, []]));
  for (const name of SETTING_NAMES) {
    const { group } = settingSpec(name);
    const names = groups.get(group);
    if (names === undefined) throw new Error(`the group ${group} of ${name} has no heading in SETTING_GROUPS`);
    names.push(name);
  }
  return [...groups]
    .map(([group, names]) => `## ${SETTING_GROUPS[group]}\n\n${table(SETTING_HEAD, names.map(settingRow))}`)
    .join("\n\n");
}

const SETTING_HEAD = ["setting", "flag", "default", "what it is"];

function settingRow(name: SettingName): string[] {
  const { flag, default: value, help } = settingSpec(name);
  const spelling = flag === undefined ? "" : `\`${flag.short === undefined ? "" : `-${flag.short} `}--${flag.name}\``;
  return [`\`${name}\``, spelling, shown(value), help];
}

function shown(value: unknown): string {
  if (value === null) return "none";
  if (Array.isArray(value))
    return value.length === 0 ? "none" : value.length > 4 ? "a wide list" : `\`${value.join(",")}\``;
  return `\`${String(value)}\``;
}

/** Each stop reason with its exit code, its meaning and the next step. */
export function stopReasons(): string {
  const rows = Object.entries(STOP_REASONS).map(([reason, { exit, text, next }]) => ({ reason, exit, text, next }));
  return table(
    ["code", "stop reason", "what happened", "what to do next"],
    rows
      .sort((a, b) => a.exit - b.exit)
      .map(({ reason, exit, text, next }) => [String(exit), `\`${reason}\``, text, nextWords(next)]),
  );
}

/** The exit codes of errors outside a run. */
export function errorCodes(): string {
  const codes = Object.entries(ERROR_EXIT_CODES).map(([code, exit]) => [String(exit), `\`${code}\``]);
  return table(
    ["code", "error"],
    codes.sort(([a = ""], [b = ""]) => Number(a) - Number(b)),
  );
}

/** What stands for the commands that only a run knows. */
const IN_A_RUN: Readonly<Record<string, string>> = {
  "`{work}`": "`ralph run` as it was started",
  "`{again}`": "the same command",
  "`{other_model}`": "the same command, and `--model NAME`",
  "{after_limit}": "Wait for the reset, then: the same command",
};

function nextWords(next: string): string {
  return Object.entries(IN_A_RUN).reduce((text, [name, words]) => text.replaceAll(name, words), next);
}

/** The agents whose drivers are built in. */
export function agents(): string {
  const real = BUILT_IN_DRIVERS.filter(({ name }) => name !== "demo");
  return table(
    ["agent", "`--driver`", "at least", "install", "log in", "limits tools", "reviews, reads only"],
    real.map((driver) => [
      `${driver.displayName}${driver.experimental === true ? " (experimental)" : ""}`,
      `\`${driver.name}\``,
      driver.minVersion ?? "",
      code(driver.installCommand),
      code(driver.loginCommand),
      yes(driver.supportsToolAllowlist),
      yes(driver.supportsReadOnly),
    ]),
  );
}

const code = (text: Driver["installCommand"]) => (text === undefined ? "" : `\`${text}\``);
const yes = (value: boolean | undefined) => (value === true ? "yes" : "no");
