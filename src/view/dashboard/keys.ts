/** A key: its name, or `text` with the character that was typed. */
export type Key = { name: Named } | { name: "text"; text: string };

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

/** The keys in what a terminal sent at once; sequences and control characters that mean nothing here are left out. */
export function keysOf(sent: string): Key[] {
  const keys: Key[] = [];
  for (let rest = sent; rest !== ""; ) {
    const part = firstPart(rest);
    const name = SEQUENCES[part];
    if (name !== undefined) keys.push({ name });
    else if (part >= " ") keys.push({ name: "text", text: part });
    rest = rest.slice(part.length);
  }
  return keys;
}

/** Whether more of an escape sequence may be on its way: slow lines deliver it in pieces. */
export function isUnfinished(sent: string): boolean {
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
