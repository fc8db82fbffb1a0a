/**
 * The lines of a text, whatever ends them: LF, CRLF or CR. With `literal`, a text without any real line end is split
 * where it spells `\n` out (product.md "Status block").
 */
export function splitLines(text: string, { literal = false } = {}): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  return literal && lines.length === 1 ? text.split(/\\r\\n|\\n/) : lines;
}

/** At most `length` code points of `text`: a cut never leaves half of a character. */
export function clipCodePoints(text: string, length: number): string {
  const part = text.slice(0, 2 * length);
  return part.length <= length ? part : [...part].slice(0, length).join("");
}

const ESCAPE = String.fromCharCode(27);
const ANSI = new RegExp(`${ESCAPE}\\[[0-9;?]{0,30}[A-Za-z]`, "g");

/** The text without the sequences that colour it on a terminal. */
export function withoutColour(text: string): string {
  return text.replace(ANSI, "");
}
