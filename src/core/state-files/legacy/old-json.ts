/** Parsers for files of older programs: none throws, whatever a file contains. */

/** Parses a count: truncates fractions and accepts digits in quotes; null for all else, including negative numbers. */
export function parseCount(value: unknown): number | null {
  const number = typeof value === "string" && /^\s*\d+(\.\d+)?\s*$/u.test(value) ? Number(value) : value;
  return typeof number === "number" && number >= 0 && number <= Number.MAX_SAFE_INTEGER ? Math.trunc(number) : null;
}

/** Epoch ms of a date text; null if it is none. */
export function parseTime(value: unknown): number | null {
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

/** The same as ISO text. */
export function toIsoTime(value: unknown): string | null {
  const time = parseTime(value);
  return time === null ? null : new Date(time).toISOString();
}

export function textOrEmpty(value: unknown): string {
  return typeof value === "string" ? value : "";
}
