/**
 * The lines of a text, whatever ends them: LF, CRLF or CR. With `literal`, a text without any real line end is split
 * where it spells `\n` out (product.md "Status block").
 */
export function splitLines(text: string, { literal = false } = {}): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  return literal && lines.length === 1 ? text.split(/\\r\\n|\\n/) : lines;
}
