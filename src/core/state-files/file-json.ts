import { isoText } from "../text/time-text.ts";

/** A JSON document as file content: readable, and valid for strict parsers whatever its strings contain. */
export function jsonFile(value: unknown): string {
  return `${JSON.stringify(value, wellFormed, 2)}\n`;
}

/** A history of changes as file content: the last of them, oldest first. */
export function historyFile(history: readonly { timestamp: string }[]): string {
  return jsonFile(history.map((row) => ({ ...row, timestamp: isoText(row.timestamp) })));
}

/** One line of a JSONL file. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value, wellFormed)}\n`;
}

/** A lone surrogate is legal to JSON.stringify, but strict parsers refuse the document: it becomes U+FFFD. */
function wellFormed(_key: string, value: unknown): unknown {
  return typeof value === "string" ? value.toWellFormed() : value;
}
