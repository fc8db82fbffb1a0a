import { stripAnsi } from "./plain-text.ts";

/** An object with a first key, in an array perhaps. */
const JSON_EVENT_START = /^[^A-Za-z]{0,20}\{\s{0,20}"[\w$-]{1,60}"\s{0,20}:/;
const START = 300;

/**
 * Whether a text begins as a JSON event does. One that was cut is no JSON any more, and still neither an answer nor an
 * error text: what stands in it may be quoted from anywhere.
 */
export function looksLikeJsonEvent(text: string): boolean {
  return JSON_EVENT_START.test(stripAnsi(text.slice(0, START)));
}
