import { stripAnsi } from "./plain-text.ts";

/** An object with a first key, perhaps in an array. */
const JSON_EVENT_START = /^[^A-Za-z]{0,20}\{\s{0,20}"[\w$-]{1,60}"\s{0,20}:/;
const START = 300;

/**
 * Whether a text starts like a JSON event. A truncated event is no JSON any more, but still neither an answer nor an
 * error text, because it may quote anything.
 */
export function looksLikeJsonEvent(text: string): boolean {
  return JSON_EVENT_START.test(stripAnsi(text.slice(0, START)));
}
