import * as v from "valibot";
import type { EnvVars } from "../env-vars.ts";
import { parseRalphrc, type RalphrcProblem } from "./ralphrc.ts";
import { describeAllowed, schemaOf } from "./setting-schema.ts";
import type { SettingValue } from "./setting-spec.ts";
import {
  asSettings,
  defaultSettings,
  SETTING_KEYS,
  SETTING_NAMES,
  type SettingName,
  type Settings,
  settingNamed,
  settingSpec,
} from "./settings.ts";
import { didYouMean } from "./suggest.ts";

/** Settings given by flags: the text, and the flag as typed (`--calls`, `-c`). */
export type FlagSettings = Readonly<Partial<Record<SettingName, { text: string; flag: string }>>>;

/** A settings file, with its path for messages: a project's relative to it with forward slashes, the user's in full. */
export type SettingsFile = { path: string; text: string };

/** The source of a value; `where` is the flag, the variable, or `file:line`; null for a default. */
export type SettingSource = { source: "flag" | "env" | "file" | "user" | "default"; where: string | null };

export type ConfigWarning = { message: string; where: string };

/** Why the start is refused: a forbidden value, or an unreadable line. */
export type ConfigProblem = ConfigWarning & { code: "usage" | "config"; hint: string | null };

export type ResolvedSettings = {
  settings: Settings;
  sources: Record<SettingName, SettingSource>;
  /** The values as they were written, but for defaults. */
  written: Readonly<Partial<Record<SettingName, string>>>;
  warnings: ConfigWarning[];
  /** If any, the caller ends with exit code 2. The affected values have their defaults. */
  problems: ConfigProblem[];
};

type RawSetting = SettingSource & { text: string; key: string };

/**
 * Resolves the effective settings: flag before environment before project file before the user's file before default. An empty
 * value counts as missing, but a later empty line in a file cancels an earlier one. Source: product.md "Configuration".
 *
 * Every command waits for it. What is called for each setting would be compiled to machine code on the way, which takes longer
 * than all of this: hence loops that call nothing for a setting that is not given.
 */
export function resolveSettings(input: {
  flags: FlagSettings;
  env: EnvVars;
  file: SettingsFile | null;
  /** The user's settings for all projects. */
  user?: SettingsFile | null;
}): ResolvedSettings {
  const file = readFile(input.file, "file", input.env);
  const user = readFile(input.user ?? null, "user", input.env);
  const problems = [...file.problems, ...user.problems];
  const given = new Map([...user.given, ...file.given, ...fromEnvironment(input.env), ...fromFlags(input.flags)]);
  const sources = {} as Record<SettingName, SettingSource>;
  const written: Partial<Record<SettingName, string>> = {};
  const values: Partial<Record<SettingName, SettingValue>> = {};
  for (const name of SETTING_NAMES) {
    const raw = given.get(name);
    const read = raw && readValue(name, raw);
    if (read !== undefined && "problem" in read) problems.push(read.problem);
    if (raw === undefined || read === undefined || "problem" in read) {
      sources[name] = { source: "default", where: null };
    } else {
      sources[name] = { source: raw.source, where: raw.where };
      written[name] = raw.text;
      values[name] = read.value;
    }
  }
  return {
    // Each value is of its setting's schema: the types cannot express this.
    settings: withPolicyDefaults({ ...defaultSettings(), ...values } as Settings, sources),
    sources,
    written,
    warnings: [...file.warnings, ...user.warnings],
    problems,
  };
}

/** Some defaults depend on what "done" rests on; a value that the user gave never does. */
export function withPolicyDefaults(settings: Settings, sources: ResolvedSettings["sources"]): Settings {
  if (settings.DONE_POLICY !== "evidence") return settings;
  return asSettings((name) => {
    const spec = settingSpec(name);
    const other = spec.kind === "integer" && sources[name].source === "default" ? spec.underEvidence : undefined;
    return other ?? settings[name];
  });
}

/** PROMPT_FILE as it was given; null for the default, which has several places. */
export function promptFileIn({ settings, sources }: Pick<ResolvedSettings, "settings" | "sources">): string | null {
  return sources.PROMPT_FILE.source === "default" ? null : settings.PROMPT_FILE;
}

/** `file:line: ` before a complaint about a value that stands in a file; "" for any other. */
export function placeOf({ source, where }: SettingSource): string {
  return source === "file" || source === "user" ? `${where}: ` : "";
}

function fromFlags(flags: FlagSettings): Map<SettingName, RawSetting> {
  const found = new Map<SettingName, RawSetting>();
  for (const name of SETTING_NAMES) {
    const given = flags[name];
    if (given !== undefined) found.set(name, { source: "flag", where: given.flag, key: given.flag, text: given.text });
  }
  return found;
}

/** The public name wins over the old ones. */
function fromEnvironment(env: EnvVars): Map<SettingName, RawSetting> {
  const found = new Map<SettingName, RawSetting>();
  for (const [key, name] of SETTING_KEYS) {
    const text = env[key];
    if (text === undefined || found.has(name) || !isSet(text)) continue;
    found.set(name, { source: "env", where: key, key, text });
  }
  return found;
}

type FileSettings = { given: Map<SettingName, RawSetting>; warnings: ConfigWarning[]; problems: ConfigProblem[] };

/** All settings of the file. A setting's last line counts; one under its public name wins over those under old ones. */
function readFile(file: SettingsFile | null, source: "file" | "user", env: EnvVars): FileSettings {
  const result: FileSettings = { given: new Map(), warnings: [], problems: [] };
  if (file === null) return result;
  const { assignments, problems } = parseRalphrc(file.text, { env, separatorOf });
  result.problems.push(...problems.map((problem) => refusedLine(file.path, problem)));
  const warned = new Set<string>();
  for (const { key, value, line } of assignments) {
    const where = `${file.path}:${line}`;
    const name = settingNamed(key);
    if (name !== null && key !== name && result.given.get(name)?.key === name) continue;
    const complaint = name === null ? unknownKey(key) : noEffectIn(source, name);
    if (complaint !== null) {
      if (!warned.has(key)) result.warnings.push({ message: complaint, where });
      warned.add(key);
    } else if (name !== null && isSet(value)) {
      const before = result.given.get(name);
      if (before?.key === key && overrules(name, value, before.text)) {
        const line = before.where?.slice(file.path.length + 1);
        result.warnings.push({ message: `${key} stands in line ${line} already: this line counts.`, where });
      }
      result.given.set(name, { source, where, key, text: value });
    } else if (name !== null) {
      result.given.delete(name);
    }
  }
  return result;
}

/** Whether a value takes the place of another one, rather than adding to it as `A="$A,b"` does. */
function overrules(name: SettingName, value: string, before: string): boolean {
  const { kind } = settingSpec(name);
  const adds = (kind === "list" || kind === "tools" || kind === "text") && value.includes(before);
  return value !== before && !adds;
}

/** Why a setting cannot have this value; null if it can. */
export function refusalOf(name: SettingName, text: string): string | null {
  const read = readValue(name, { source: "file", where: name, key: name, text });
  return "problem" in read ? read.problem.message : null;
}

function readValue(name: SettingName, given: RawSetting): { value: SettingValue } | { problem: ConfigProblem } {
  const spec = settingSpec(name);
  const parsed = v.safeParse(schemaOf(spec), given.text);
  if (parsed.success) return { value: parsed.output };
  const meant = spec.kind === "choice" ? didYouMean(given.text, spec.options) : "";
  const separator = given.source === "flag" ? " " : "=";
  const place = given.source === "env" ? " in the environment" : "";
  const assignment = `${given.key}${separator}${JSON.stringify(given.text)}${place}`;
  const message = `${assignment} is not allowed: it must be ${describeAllowed(spec)}.${meant}`;
  return {
    problem: {
      message,
      where: given.where ?? given.key,
      code: given.source === "flag" ? "usage" : "config",
      hint: null,
    },
  };
}

function refusedLine(path: string, problem: RalphrcProblem): ConfigProblem {
  const hint = problem.right === null ? null : correction(problem.right);
  return {
    message: `This line is refused: ${problem.reason}.`,
    where: `${path}:${problem.line}`,
    code: "config",
    hint,
  };
}

/** What to write in place of a refused line, or what is allowed there, if that would be refused in turn. */
function correction(line: string): string {
  for (const { key, value } of parseRalphrc(line, { env: {} }).assignments) {
    const name = settingNamed(key);
    if (name !== null && refusalOf(name, value) !== null)
      return `${key} must be ${describeAllowed(settingSpec(name))}.`;
  }
  return `Write: ${line}`;
}

/** That a word names no setting, with the likeliest intended one. */
export function unknownKey(key: string): string {
  const names = SETTING_NAMES.flatMap((name) => [name, ...(settingSpec(name).old ?? [])]);
  return `${key} is no setting of ralph and has no effect.${didYouMean(key, names)}`;
}

/** Why a setting has no effect in such a file; null if it has one. */
export function noEffectIn(source: "file" | "user", name: SettingName): string | null {
  const { personal } = settingSpec(name);
  if (personal === "environment")
    return `${name} has no effect in a file, where an agent could read it: only the environment can set it.`;
  if (personal === undefined || source === "user") return null;
  return `${name} has no effect in a project's file: a flag, the environment or ralph config set --user can set it.`;
}

function separatorOf(key: string): string {
  const name = settingNamed(key);
  const spec = name === null ? null : settingSpec(name);
  return spec?.kind === "list" ? spec.separator : ",";
}

function isSet(text: string | undefined): boolean {
  return text !== undefined && text.trim() !== "";
}
