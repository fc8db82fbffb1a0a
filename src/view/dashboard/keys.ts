import { plain } from "../text.ts";

/** A key: its name, `text` with the character that was typed, or all that was pasted. */
export type Key = { name: Named } | { name: "text" | "paste"; text: string };

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
  | "interrupt";

const ESC = "\u001b";

/** What terminals send for the keys that mean something here, in both of their modes. */
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
  "\u0003": "interrupt",
  "\u0004": "interrupt",
};

const PASTE_BEGIN = `${ESC}[200~`;
const PASTE_END = `${ESC}[201~`;
/** What is left of an escape sequence comes within this time, or it was the key itself. */
const SEQUENCE_MS = 30;
/** A paste may come in pieces over a slow line, and its end always does. */
const PASTE_MS = 1000;

/** The keys in what a terminal sent at once; sequences and control characters that mean nothing here are left out. */
export function keysOf(sent: string): Key[] {
  const keys: Key[] = [];
  for (let rest = sent; rest !== ""; ) {
    if (rest.startsWith(PASTE_BEGIN)) {
      const [text = ""] = rest.slice(PASTE_BEGIN.length).split(PASTE_END, 1);
      keys.push({ name: "paste", text: plain(text) });
      rest = rest.slice(PASTE_BEGIN.length + text.length + PASTE_END.length);
      continue;
    }
    const part = firstPart(rest);
    const name = SEQUENCES[part];
    if (name !== undefined) keys.push({ name });
    else if (part >= " ") keys.push({ name: "text", text: part });
    rest = rest.slice(part.length);
  }
  return keys;
}

/** For how many ms more of what was sent may be on its way: slow lines deliver it in pieces. 0 where it is whole. */
export function awaited(sent: string): number {
  if (sent.lastIndexOf(PASTE_BEGIN) > sent.lastIndexOf(PASTE_END)) return PASTE_MS;
  return isUnfinished(sent) ? SEQUENCE_MS : 0;
}

function isUnfinished(sent: string): boolean {
  const last = sent.slice(Math.max(0, sent.lastIndexOf(ESC)));
  return last.startsWith(ESC) && /^(?:O|\[[0-?]*)?$/.test(last.slice(1));
}

/** One character, or a whole escape sequence. */
function firstPart(rest: string): string {
  const [first = ""] = rest;
  if (first !== ESC) return first;
  const sequence = /^(?:O[!-~]|\[[0-?]*[ -/]*[@-~])/.exec(rest.slice(1));
  return first + (sequence?.[0] ?? "");
}
