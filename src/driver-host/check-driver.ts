import { isRecord } from "../core/json-value.ts";
import { didYouMean } from "../core/settings/suggest.ts";
import type { Driver } from "../driver.ts";

const REQUIRED = {
  name: "name",
  displayName: "text",
  cliBinary: "text or function",
  validTools: "texts",
  buildCommand: "function",
} as const satisfies Partial<Record<keyof Driver, Kind>>;

const OPTIONAL = {
  decoder: "function",
  hasFinalEvent: "switch",
  supportsToolAllowlist: "switch",
  supportsSessions: "switch",
  choosesSessionId: "switch",
  supportsLiveOutput: "switch",
  supportsReadOnly: "switch",
  sessionIds: "ids",
  permissionDenialHelp: "function",
  prepareLiveCommand: "function",
  extractSessionId: "function",
  fallbackSessionId: "function",
  usageFiles: "function",
  listModels: "function",
  minVersion: "version",
  forVersion: "function",
  checkAvailable: "function",
  preflight: "function",
  sandbox: "function",
  loginCommand: "text",
  installCommand: "text",
  experimental: "switch",
} as const satisfies Record<Exclude<keyof Driver, keyof typeof REQUIRED>, Kind>;

/** The members of the driver contract (`src/driver.ts`) and the kind of each value. */
export const MEMBERS: Readonly<Record<keyof Driver, Kind>> = { ...REQUIRED, ...OPTIONAL };

const NAME = /^[a-z0-9][a-z0-9._-]*$/;

/** What a member must be: in words, and whether a value is it. */
const KINDS = {
  name: ["a short lower-case name", (value) => typeof value === "string" && NAME.test(value)],
  text: ["a text that is not empty", isText],
  version: ["a version as in 1.2.3", (value) => typeof value === "string" && /^\d+(?:\.\d+)*$/.test(value)],
  texts: ["an array of texts", (value) => Array.isArray(value) && value.every(isText)],
  function: ["a function", isFunction],
  switch: ["true or false", (value) => typeof value === "boolean"],
  "text or function": ["a text or a function", (value) => isText(value) || isFunction(value)],
  ids: ['"uuid" or a regular expression', (value) => value === "uuid" || value instanceof RegExp],
} as const satisfies Record<string, readonly [what: string, fits: (value: unknown) => boolean]>;

type Kind = keyof typeof KINDS;

/**
 * Why a value is not a driver: each missing member, each of the wrong type, and each name that is probably misspelled. Empty
 * for a driver.
 */
export function findDriverProblems(value: unknown): string[] {
  if (!isRecord(value) || value instanceof Promise)
    return [`the default export must be an object, not ${kindOf(value)}`];
  const wrong = Object.entries(MEMBERS).flatMap(([member, kind]) => {
    const found = value[member];
    const [what, fits] = KINDS[kind];
    if (found === undefined) return Object.hasOwn(REQUIRED, member) ? [`${member} is missing: it must be ${what}`] : [];
    return fits(found) ? [] : [`${member} must be ${what}, not ${describe(found)}`];
  });
  const mistyped = Object.keys(value).flatMap((key) => {
    const suggestion = Object.hasOwn(MEMBERS, key) ? "" : didYouMean(key, Object.keys(MEMBERS));
    return suggestion === "" ? [] : [`${key} is not a member of a driver.${suggestion}`];
  });
  return [...wrong, ...mistyped];
}

/** Whether a word can be a driver's name; any other word is a path. */
export function isDriverName(word: string): boolean {
  return NAME.test(word);
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

function describe(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : kindOf(value);
}

/** A word for what a value is. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (value instanceof Promise) return "a promise";
  return Array.isArray(value) ? "an array" : typeof value;
}
