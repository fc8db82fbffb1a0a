import type { EnvVars } from "../../core/env-vars.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { fit } from "./text.ts";

const TEXT_COLUMNS = 200;
const TITLE_COLUMNS = 80;
/** The terminal's bell; it also ends a sequence. */
export const BELL = "\u0007";
/** Programs with rxvt's notification sequence, which has a title; the others get iTerm2's. */
const TITLED = /^(?:rxvt|foot|konsole|vte)/i;

/**
 * A desktop notification as an escape sequence, which also works over ssh: OSC 777 for terminals known to need it, else
 * OSC 9, and passed through tmux. Empty for a dumb terminal, which would print it.
 */
export function oscNotification({ title, text }: { title: string; text: string }, env: EnvVars): string {
  if (env.TERM === "dumb") return "";
  const safe = (words: string) => fit(singleLine(words), TEXT_COLUMNS).replaceAll(";", ",");
  const isTitled = TITLED.test(env.TERM ?? "") || TITLED.test(env.TERM_PROGRAM ?? "") || env.VTE_VERSION !== undefined;
  const sequence = isTitled
    ? `\u001b]777;notify;${safe(title)};${safe(text)}${BELL}`
    : `\u001b]9;${safe(`${title}. ${text}`)}${BELL}`;
  return env.TMUX === undefined ? sequence : throughTmux(sequence);
}

function throughTmux(sequence: string): string {
  return `\u001bPtmux;${sequence.replaceAll("\u001b", "\u001b\u001b")}\u001b\\`;
}

/** Terminals drop a longer text. */
const MOST_COPIED = 74_000;

/**
 * Puts a text on the clipboard of the user's terminal (OSC 52), which also works over ssh. tmux takes it if its
 * `set-clipboard` is on, and passes it on if `allow-passthrough` is.
 * @returns null for a text that is too long
 */
export function oscCopy(text: string, env: EnvVars): string | null {
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte));
  const encoded = btoa(bytes.join(""));
  if (encoded.length > MOST_COPIED) return null;
  const sequence = `\u001b]52;c;${encoded}${BELL}`;
  return env.TMUX === undefined ? sequence : sequence + throughTmux(sequence);
}

/** The console of Linux printed what it does not know. */
const UNTITLED = /^(?:dumb|linux)$/;

/**
 * Gives the terminal's window, or the pane of tmux, a title; the one before is kept where the terminal can. Empty for a
 * terminal without titles.
 */
export function oscTitle(title: string, { TERM = "" }: EnvVars): string {
  return UNTITLED.test(TERM) ? "" : `\u001b[22;2t\u001b]2;${fit(singleLine(title), TITLE_COLUMNS)}${BELL}`;
}

/** Puts back the title from before `oscTitle`. */
export function oscTitleEnd({ TERM = "" }: EnvVars): string {
  return UNTITLED.test(TERM) ? "" : "\u001b[23;2t";
}
