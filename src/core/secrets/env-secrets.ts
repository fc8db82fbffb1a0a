import { normaliseLine } from "../answer/fingerprint.ts";
import type { EnvVars } from "../env-vars.ts";

/** A value that must not stand in a record, and the name of the variable that holds it. */
export type Secret = { name: string; value: string };

/** A shorter value would be found in words and numbers that have nothing to do with it. */
const LEAST_CHARS = 8;
/** A part of a name, between underscores, that says that the value is secret. */
const SECRET_PART =
  /(?:^|_)(?:[A-Z0-9]*(?:KEY|KEYS|TOKEN|TOKENS|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)|[A-Z0-9]*SECRETS?[A-Z0-9]*|PASS|PWD|PAT|AUTH)(?=_|$)/;
const PASSWORD_PART = /PASS|PWD|SECRET/;
/** Names that only look so: the working folder, and keys that are meant to be seen. */
const NO_SECRET = /^(?:OLD)?PWD$|PUBLIC|PUBLISHABLE/;
/** Words of one case, joined by marks, as in `osxkeychain` or `my-config-name`; long ones are passphrases. */
const WORDS = /^(?:[a-z]+|[A-Z]?[a-z]+|[A-Z]+)(?:[-_. ](?:[a-z]+|[A-Z]+))*$/;
const LONG_WORDS = 20;
/** A number, a version, a boolean: what `MAX_TOKENS` and the like hold. */
const NUMBER = /^[\d.,:_ -]+$/;
/** A way to a file, which has a word of lower-case letters in it; keys in Base64 hardly ever do. */
const PATH = /^(?:~|\.{0,2}[/\\]|[A-Za-z]:[/\\])(?:.*[/\\])?[a-z][a-z.-]{2,}(?:[/\\].*)?$/;
const URL_PASSWORD = /:\/\/[^\s:@/]{0,64}:([^\s@/]{8,256})@/;
/** A line of a value on several lines, such as a key in PEM form, that is no mark of its beginning or end. */
const LEAST_LINE = 16;
/** What a normalised line has in the place of numbers and ids; a value of which little else is left is not known by it. */
const PLACES = /<\w+>/g;
const LEAST_REST = 5;

/** The values of variables that look like secrets, longest first: by their names, and passwords in addresses. */
export function envSecrets(env: EnvVars): Secret[] {
  const found = new Map<string, string>();
  for (const [name, value = ""] of Object.entries(env)) {
    const secret = secretOf(name, value);
    for (const form of secret === null ? [] : formsOf(secret)) if (!found.has(form)) found.set(form, name);
  }
  return [...found].map(([value, name]) => ({ name, value })).sort((a, b) => b.value.length - a.value.length);
}

/** What stands in a record instead of a secret. */
export const MASKED = /\[masked: [\w ]+\]/;

/** A text from a record with the secrets of this environment put back; what else was masked in it stays so. */
export function withSecrets(text: string, env: EnvVars): string {
  return text.replace(/\[masked: (\w+)\]/g, (label, name: string) => secretOf(name, env[name] ?? "") ?? label);
}

/** The secret in a variable: its value, or the password of the address that it holds; null if there is none. */
function secretOf(name: string, value: string): string | null {
  const looks = SECRET_PART.test(name.toUpperCase()) && !NO_SECRET.test(name.toUpperCase());
  if (looks && looksSecret(name.toUpperCase(), value.trim())) return value.trim();
  const password = URL_PASSWORD.exec(value)?.[1];
  return password === undefined || isWords(password) ? null : password;
}

function looksSecret(name: string, value: string): boolean {
  if (value.length < LEAST_CHARS || isWords(value) || PATH.test(value)) return false;
  return PASSWORD_PART.test(name) || !NUMBER.test(value);
}

function isWords(value: string): boolean {
  return value.length < LONG_WORDS && WORDS.test(value);
}

/**
 * The value as programs print it: as it is, in JSON, HTML, an address, and line by line, all of that also in a line of JSON; and as
 * it stands in a normalised error line.
 */
function formsOf(value: string): string[] {
  const lines = value.split(/\r?\n/).filter((line) => line.length >= LEAST_LINE && !line.startsWith("-----"));
  const json = inJson(value);
  const address = encodeURIComponent(value.toWellFormed());
  const printed = [
    value,
    json,
    // PHP, and Go.
    json.replaceAll("/", "\\/"),
    json.replace(/[<>&]/g, (mark) => `\\u00${mark.charCodeAt(0).toString(16)}`),
    value.replace(/[<>&]/g, (mark) => HTML[mark] ?? mark),
    address,
    address.replace(/%[0-9A-F]{2}/g, (octet) => octet.toLowerCase()),
    ...(lines.length > 1 ? lines : []),
  ];
  const inError = normaliseLine(value);
  const forms = [...printed, ...printed.map(inJson)];
  return [...new Set(inError.replace(PLACES, "").length < LEAST_REST ? forms : [...forms, inError])];
}

const HTML: Readonly<Record<string, string>> = { "<": "&lt;", ">": "&gt;", "&": "&amp;" };

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
