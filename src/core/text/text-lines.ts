/**
 * The lines of a text with any line ends: LF, CRLF or CR. With `literal`, a text without real line ends is split at
 * spelled-out `\n` (product.md "Status block").
 */
export function splitLines(text: string, { literal = false } = {}): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  return literal && lines.length === 1 ? text.split(/\\r\\n|\\n/) : lines;
}
