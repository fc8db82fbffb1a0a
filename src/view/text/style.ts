/** The text styles that ralph uses. Without colour each returns its text unchanged. */
export type Style = Record<
  "bold" | "dim" | "inverse" | "red" | "green" | "yellow" | "blue" | "cyan",
  (text: string) => string
>;

/** How lines are drawn: `width` is that of the terminal, in columns. */
export type Look = { style: Style; width: number };

const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  inverse: [7, 27],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  cyan: [36, 39],
} as const;

/** The start or end of a style; `split` keeps it between the texts. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: ralph's own styles
export const STYLE = /(\u001b\[\d+m)/;

/** ANSI styles, or none without colour. */
export function style(color: boolean): Style {
  const paint =
    ([open, close]: readonly [number, number]) =>
    (text: string) =>
      color && text !== "" ? `\u001b[${open}m${text}\u001b[${close}m` : text;
  return {
    bold: paint(CODES.bold),
    dim: paint(CODES.dim),
    inverse: paint(CODES.inverse),
    red: paint(CODES.red),
    green: paint(CODES.green),
    yellow: paint(CODES.yellow),
    blue: paint(CODES.blue),
    cyan: paint(CODES.cyan),
  };
}
