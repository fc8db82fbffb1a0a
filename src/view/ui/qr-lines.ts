const ESC = "\u001b";
/** The first black and white after the 16 that a terminal's theme may change: ink on paper, in a light terminal as in a dark one. */
const ON = `${ESC}[38;5;16;48;5;231m`;
const OFF = `${ESC}[39;49m`;

/**
 * A QR code in half blocks, two rows a line.
 * @param rows dark squares, with the quiet edge around them
 * @param color without it the light squares are drawn, as for a dark terminal
 */
export function qrLines(rows: readonly (readonly boolean[])[], color: boolean): string[] {
  const lines: string[] = [];
  for (let at = 0; at < rows.length; at += 2) {
    const [upper = [], lower] = [rows[at], rows[at + 1]];
    const line = upper.map((dark, column) => block(dark === color, (lower?.[column] ?? !color) === color)).join("");
    lines.push(color ? `${ON}${line}${OFF}` : line);
  }
  return lines;
}

function block(upper: boolean, lower: boolean): string {
  if (upper) return lower ? "█" : "▀";
  return lower ? "▄" : " ";
}
