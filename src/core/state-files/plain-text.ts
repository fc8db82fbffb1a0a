const ESC = String.fromCharCode(27);
const BEL = String.fromCharCode(7);
/** Colours and cursor moves, and the titles and links that end with BEL or ESC \. */
const ESCAPES = new RegExp(`${ESC}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)?|[@-Z\\\\-_])`, "g");
/** Also what turns the direction of a line around, in which words could hide. */
const CONTROLS = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Text that cannot move a terminal's cursor: escape sequences and control characters but line ends and tabs are gone. */
export function plainText(text: string): string {
  return text
    .replace(ESCAPES, "")
    .replaceAll("\r\n", "\n")
    .replace(CONTROLS, (character) => (character === "\n" || character === "\t" ? character : ""))
    .toWellFormed();
}

/** The same on one line. */
export function plainLine(text: string): string {
  return plainText(text).replace(/\s+/gu, " ").trim();
}

/** The first line that says something, cut to `limit` characters. */
export function firstLine(text: string, limit: number): string {
  const line = plainText(text).trim().split("\n", 1)[0] ?? "";
  return [...line].slice(0, limit).join("").trimEnd();
}
