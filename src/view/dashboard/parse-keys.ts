import { plain } from "../text/text.ts";

/** A key: its name, or `text` or `paste` with the characters; or what the mouse did. */
export type Key = { name: Named } | { name: "text" | "paste"; text: string } | Wheel | Click;

/** A turn of the wheel, and where, from 1. */
export type Wheel = { name: "wheel"; by: -1 | 1; column: number; row: number };
/** A press of the main button. */
export type Click = { name: "click"; column: number; row: number };

type Named =
  | "up"
  | "down"
  | "left"
  | "right"
  | "page_up"
  | "page_down"
  | "home"
  | "end"
  | "enter"
  | "escape"
  | "backspace"
  | "tab"
  | "interrupt"
  | "end_of_input";

const ESC = "\u001b";

/** The sequences of the keys in use, in both modes of a terminal. */
const SEQUENCES: Readonly<Record<string, Named>> = {
  [ESC]: "escape",
  [`${ESC}[A`]: "up",
  [`${ESC}OA`]: "up",
  [`${ESC}[B`]: "down",
  [`${ESC}OB`]: "down",
  [`${ESC}[C`]: "right",
  [`${ESC}OC`]: "right",
  [`${ESC}[D`]: "left",
  [`${ESC}OD`]: "left",
  [`${ESC}[5~`]: "page_up",
  [`${ESC}[6~`]: "page_down",
  [`${ESC}[H`]: "home",
  [`${ESC}OH`]: "home",
  [`${ESC}[1~`]: "home",
  [`${ESC}[7~`]: "home",
  [`${ESC}[F`]: "end",
  [`${ESC}OF`]: "end",
  [`${ESC}[4~`]: "end",
  [`${ESC}[8~`]: "end",
  "\r": "enter",
  "\n": "enter",
  "\u007f": "backspace",
  "\b": "backspace",
  "\t": "tab",
  "\u0003": "interrupt",
  "\u0004": "end_of_input",
};

const PASTE_BEGIN = `${ESC}[200~`;
const PASTE_END = `${ESC}[201~`;
/** The rest of an escape sequence arrives within this time; else it was the escape key itself. */
const SEQUENCE_MS = 30;
/** A paste may come in pieces over a slow line, but its end always arrives. */
const PASTE_MS = 1000;

/** The keys in one piece of terminal input. Skips sequences and control characters without a meaning here. */
export function parseKeys(sent: string): Key[] {
  const keys: Key[] = [];
  for (let rest = sent; rest !== ""; ) {
    if (rest.startsWith(PASTE_BEGIN)) {
      const [text = ""] = rest.slice(PASTE_BEGIN.length).split(PASTE_END, 1);
      keys.push({ name: "paste", text: plain(text) });
      rest = rest.slice(PASTE_BEGIN.length + text.length + PASTE_END.length);
      continue;
    }
    const part = firstPart(rest);
    const key = unnumbered(part);
    const name = SEQUENCES[key];
    const mouse = mouseOf(part);
    if (mouse !== null) keys.push(mouse);
    else if (name !== undefined) keys.push({ name });
    else if (key >= " ") keys.push({ name: "text", text: key });
    rest = rest.slice(part.length);
  }
  return keys;
}

/**
 * How many ms to wait for the rest of an incomplete sequence or paste, since slow lines deliver input in pieces; 0 if
 * it is complete.
 */
export function pendingMs(sent: string): number {
  if (sent.lastIndexOf(PASTE_BEGIN) > sent.lastIndexOf(PASTE_END)) return PASTE_MS;
  return isUnfinished(sent) ? SEQUENCE_MS : 0;
}

function isUnfinished(sent: string): boolean {
  const last = sent.slice(Math.max(0, sent.lastIndexOf(ESC)));
  return last.startsWith(ESC) && /^(?:O|\[[0-?]*|\[M.{0,2}|[\]P]\P{Cc}*)?$/su.test(last.slice(1));
}

/**
 * The rest of an escape sequence: a mouse report, a console's function key, a key or a report, a terminal's late answer
 * to an earlier query, or the key pressed with Alt.
 */
const BEHIND_ESCAPE = /^(?:\[M.{3}|\[\[[A-E]|O[!-~]|\[[0-?]*[ -/]*[@-~]?|[\]P]\P{Cc}*(?:\p{Cc}\\?)?|\P{Cc}|[\r\n])/su;

/** A mouse report with numbers, as all terminals of today send when asked for it. */
const MOUSE = /^\[<(?<button>\d+);(?<column>\d+);(?<row>\d+)(?<end>[Mm])$/;
/** Bits of the modifier keys in a mouse report. */
const MOUSE_HELD = 0b1_1100;
const [MAIN_BUTTON, WHEEL_UP, WHEEL_DOWN] = [0, 64, 65];

function mouseOf(part: string): Wheel | Click | null {
  const found = MOUSE.exec(part.slice(ESC.length))?.groups;
  if (found === undefined || found.end === "m") return null;
  const where = { column: Number(found.column), row: Number(found.row) };
  const button = Number(found.button) & ~MOUSE_HELD;
  if (button === MAIN_BUTTON) return { name: "click", ...where };
  if (button === WHEEL_UP) return { name: "wheel", by: -1, ...where };
  return button === WHEEL_DOWN ? { name: "wheel", by: 1, ...where } : null;
}

/** One character, or a whole escape sequence. */
function firstPart(rest: string): string {
  const [first = ""] = rest;
  return first === ESC ? first + (BEHIND_ESCAPE.exec(rest.slice(1))?.[0] ?? "") : first;
}

const NUMBERED = /^\[(?<code>\d+)[\d:]*(?:;(?<held>\d*)(?::(?<event>\d))?[\d:;]*)?u$/;
const NUMBERED_BY_XTERM = /^\[27;(?<held>\d+);(?<code>\d+)~$/;
/** Bits of the modifier keys. */
const [CTRL, OTHERS] = [0b100, 0b11_1110];
const RELEASED = "3";
/** Codes from here on are keys without a character. */
const FIRST_FUNCTION_KEY = 57_344;

/**
 * Converts a key's numeric code to its character. A crashed program may leave a terminal in the mode that sends codes,
 * and Ctrl+C and escape must still work there.
 */
function unnumbered(part: string): string {
  const sequence = part.slice(ESC.length);
  const found = (NUMBERED.exec(sequence) ?? NUMBERED_BY_XTERM.exec(sequence))?.groups;
  if (found === undefined) return part;
  const code = Number(found.code);
  const held = (Number(found.held || 1) - 1) & OTHERS;
  if (found.event === RELEASED || code >= FIRST_FUNCTION_KEY) return "";
  if (held === CTRL) return String.fromCodePoint(code & 0b1_1111);
  return held === 0 ? String.fromCodePoint(code) : "";
}
