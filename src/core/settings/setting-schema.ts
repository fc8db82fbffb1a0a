import * as v from "valibot";
import { count } from "../text/count.ts";
import { splitCommands } from "../text/shell-words.ts";
import { parseMinutes } from "./minutes.ts";
import type { SettingSpec, SettingValue } from "./setting-spec.ts";
import { isToolPattern, splitTools } from "./tool-list.ts";

/** The word that lifts a bound. */
export const NONE = "none";

/** A second, in minutes: the shortest duration. */
const SECOND = 1 / 60;

const BOOLEANS: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  "1": true,
  false: false,
  no: false,
  off: false,
  "0": false,
};

const CLOCK = /^([01]?\d|2[0-3]):[0-5]\d$/;
/** Above each amount that can be given. */
const MOST_USD = 1e9;

type Schema = v.GenericSchema<string, SettingValue>;

/** The schema that converts a setting's text to its value; `describeAllowed` describes what it accepts. */
export function schemaOf(spec: SettingSpec): Schema {
  const schema = plainSchema(spec);
  return liftable(spec)
    ? v.union([
        v.pipe(
          v.literal(NONE),
          v.transform(() => null),
        ),
        schema,
      ])
    : schema;
}

/** Whether a value that somebody recorded can be one of this setting: of its kind, and within its bounds. */
export function isValueOf(spec: SettingSpec, value: unknown): boolean {
  if (value === null) return spec.default === null;
  const isBetween = (least: number, most: number) => typeof value === "number" && value >= least && value <= most;
  switch (spec.kind) {
    case "integer":
      return Number.isInteger(value) && isBetween(spec.min, spec.max ?? Number.MAX_SAFE_INTEGER);
    case "money":
      return isBetween(0, MOST_USD);
    case "minutes":
      return isBetween(0, spec.max);
    case "clock":
      return typeof value === "string" && CLOCK.test(value);
    case "boolean":
      return typeof value === "boolean";
    case "choice":
      return spec.options.some((option) => option === value);
    case "choice-or-integer":
      return spec.options.some((option) => option === value) || Number.isSafeInteger(value);
    case "list":
    case "tools":
      return Array.isArray(value) && value.every((item) => typeof item === "string");
    case "text":
      return typeof value === "string";
    case "form":
      return typeof value === "string" && spec.form.fits(value);
  }
}

/** The allowed values of a setting, to follow "must be". */
export function describeAllowed(spec: SettingSpec): string {
  return liftable(spec) ? `${plainAllowed(spec)}, or "${NONE}"` : plainAllowed(spec);
}

/** Whether a setting is a bound, which the word `none` lifts. */
export function liftable(spec: SettingSpec): boolean {
  return spec.default === null && spec.kind !== "text" && spec.kind !== "form";
}

function plainSchema(spec: SettingSpec): Schema {
  switch (spec.kind) {
    case "integer":
      return v.pipe(
        trimmed(),
        v.transform((text) => (spec.unit === "percent" ? text.replace(/\s*%$/, "") : text)),
        v.digits(),
        v.transform(Number),
        v.safeInteger(),
        v.minValue(spec.min),
        v.maxValue(spec.max ?? Number.MAX_SAFE_INTEGER),
      );
    case "money":
      return v.pipe(trimmed(), v.regex(/^\d{1,9}(\.\d{1,6})?$/), v.transform(Number), v.gtValue(0));
    case "minutes":
      return v.pipe(
        trimmed(),
        v.transform(parseMinutes),
        v.number(),
        v.check((minutes) => (minutes === 0 ? spec.zeroIsOff : minutes >= SECOND)),
        v.maxValue(spec.max),
      );
    case "clock":
      return v.pipe(
        trimmed(),
        v.regex(CLOCK),
        v.transform((time) => time.padStart(5, "0")),
      );
    case "boolean":
      return v.pipe(
        trimmed(),
        v.transform((word) => BOOLEANS[word.toLowerCase()]),
        v.boolean(),
      );
    case "choice": {
      const words = new Map(Object.entries(spec.words ?? {}));
      return v.pipe(
        trimmed(),
        v.transform((word) => words.get(word) ?? word),
        v.picklist(spec.options),
      );
    }
    case "choice-or-integer":
      return v.pipe(
        trimmed(),
        v.union([
          v.picklist(spec.options),
          v.pipe(v.string(), v.digits(), v.transform(Number), v.safeInteger(), v.minValue(spec.min)),
        ]),
      );
    case "text":
      return v.string();
    case "form":
      return v.pipe(trimmed(), v.check(spec.form.fits));
    case "list":
      return v.pipe(
        v.string(),
        v.transform((text) => splitList(text, spec.separator)),
        v.array(spec.options === undefined ? v.string() : v.picklist(spec.options)),
      );
    case "tools":
      return v.pipe(
        v.string(),
        v.transform(splitTools),
        v.array(v.pipe(v.string(), v.check(isToolPattern))),
        v.minLength(1),
      );
  }
}

function plainAllowed(spec: SettingSpec): string {
  switch (spec.kind) {
    case "integer": {
      const unit = spec.unit === undefined ? "" : ` of ${spec.unit}`;
      return `a whole number${unit} ${spec.max === undefined ? `from ${spec.min}` : `from ${spec.min} to ${spec.max}`}`;
    }
    case "money":
      return "an amount in USD above 0, such as 5 or 2.50";
    case "minutes": {
      const most = spec.max % 1440 === 0 ? count(spec.max / 1440, "day") : `${spec.max} minutes`;
      const off = spec.zeroIsOff ? ", or 0 for off" : "";
      return `whole minutes, or a value with a unit such as 90s, 2m or 1h30m, from 1s to ${most}${off}`;
    }
    case "clock":
      return "a time of day as HH:MM, from 00:00 to 23:59";
    case "boolean":
      return "true or false";
    case "choice":
      return oneOf(spec.options);
    case "choice-or-integer":
      return `${spec.options.join(", ")} or a whole number from ${spec.min}`;
    case "text":
      return "any text";
    case "form":
      return spec.form.allowed;
    case "list":
      return spec.options === undefined
        ? `a list, separated by "${spec.separator}"`
        : `a list of ${oneOf(spec.options)}, separated by "${spec.separator}"`;
    case "tools":
      return 'tools or patterns such as Read or Bash(git *), separated by ","';
  }
}

function trimmed() {
  return v.pipe(v.string(), v.trim());
}

/** A list that `;` separates is one of commands, which have quotes, or of their files. */
function splitList(text: string, separator: "," | ";"): string[] {
  if (separator === ";") return splitCommands(text);
  return text
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item !== "");
}

/** `a, b or c`. */
function oneOf(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}
