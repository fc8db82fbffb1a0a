import type { EnvVars } from "../env-vars.ts";
import type { Settings } from "../settings/settings.ts";
import { anchoredPattern } from "../text/anchored-pattern.ts";
import { createWordFinder, type WordFinder } from "../text/word-finder.ts";
import { envSecrets, type Secret } from "./env-secrets.ts";
import { LONG_TOKEN_WORDS, maskTokens, TOKEN_BEGINNINGS, TOKEN_WORDS } from "./token-shapes.ts";

/** Replaces the secrets in a text by their names: `[masked: API_KEY]`, `[masked: github token]`. */
export type Mask = (text: string) => string;

export type Masks = {
  text: Mask;
  /** The same for bytes: a file then keeps every byte that is no secret. Null: all bytes are written as they are. */
  bytes: BytesMask | null;
};

/** A mask for bytes, each as the character of its number (Latin-1). */
export type BytesMask = {
  mask: Mask;
  /** Finds words of which each secret has one: bytes without any need no mask. */
  words: WordFinder;
  /** Whether a text may have a secret, or the beginning of one: bytes whose text has none need no mask. */
  isSuspect(text: string): boolean;
  /** Whether a line with such a word may hold the beginning of a secret that goes on in the next one. */
  mayGoOn(line: string): boolean;
};

/** For who wants to see everything (MASK_SECRETS=false). */
export const NO_MASKS: Masks = { text: (text) => text, bytes: null };

/** Masks for what is recorded under such settings. */
export function masksOf({ MASK_SECRETS }: Pick<Settings, "MASK_SECRETS">, env: EnvVars): Masks {
  return MASK_SECRETS ? createMasks(env) : NO_MASKS;
}

/** Masks for what is recorded of an agent with this environment (product.md "Secrets"). */
export function createMasks(env: EnvVars): Masks {
  const secrets = envSecrets(env);
  let bytes: BytesMask | null = null;
  return {
    text: maskOf(secrets),
    get bytes() {
      // Only what an agent prints needs it.
      bytes ??= bytesMaskOf(secrets);
      return bytes;
    },
  };
}

function bytesMaskOf(ofText: readonly Secret[]): BytesMask {
  const suspect = suspectOf(ofText.map(headOf));
  const secrets = ofText.map(({ name, value }) => ({ name, value: asLatin1(value) }));
  const long = [...LONG_TOKEN_WORDS, ...secrets.filter(({ value }) => value.includes("\n")).map(headOf)];
  return {
    mask: maskOf(secrets),
    isSuspect: (text) => suspect.test(text),
    words: createWordFinder([...TOKEN_WORDS, ...LONG_TOKEN_WORDS, ...secrets.map(headOf)]),
    mayGoOn: (line) => long.some((word) => line.includes(word)),
  };
}

/** No secret is shorter. */
const LEAST_CHARS = 8;
const HEAD_CHARS = 8;

/** A text costs one search, by a regular expression without repetitions; only one in which that finds something costs more. */
function maskOf(secrets: readonly Secret[]): Mask {
  const suspect = suspectOf(secrets.map(({ value }) => value.slice(0, HEAD_CHARS)));
  return (text) => {
    if (text.length < LEAST_CHARS || !suspect.test(text)) return text;
    let masked = text;
    for (const { name, value } of secrets) masked = masked.replaceAll(value, () => `[masked: ${name}]`);
    for (const secret of secrets) masked = withoutCutOff(masked, secret);
    return maskTokens(masked);
  };
}

/** Finds one of these words, or the beginning of a token. */
function suspectOf(words: readonly string[]): RegExp {
  return new RegExp(
    [...new Set(words)]
      .map((word) => anchoredPattern(word))
      .concat(TOKEN_BEGINNINGS)
      .join("|"),
  );
}

/** How a secret begins, on its first line. */
function headOf({ value }: Secret): string {
  return value.slice(0, HEAD_CHARS).split("\n", 1).join("");
}

/** What is left of a secret at the end of a text that was cut: `… Bearer abc123de`, perhaps before a mark or a closing bracket. */
function withoutCutOff(text: string, { name, value }: Secret): string {
  const at = text.lastIndexOf(value.slice(0, HEAD_CHARS));
  if (at === -1) return text;
  const end = /[)"'…]{0,3}$/.exec(text)?.index ?? text.length;
  const rest = text.slice(at, end);
  return value.startsWith(rest) ? `${text.slice(0, at)}[masked: ${name}]${text.slice(end)}` : text;
}

function asLatin1(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}
