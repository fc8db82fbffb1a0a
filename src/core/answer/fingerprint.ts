import { stripAnsi } from "../text/plain-text.ts";
import { clipCodePoints } from "../text/truncate.ts";

const LONGEST_LINE = 300;
const URL = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>()]+/gi;
/** A run of characters between blanks, brackets, quotes and separators. */
const TOKEN = /[^\s()[\]{}"'`,;=<>|]+/g;

const HEX_ID = /^(?:0x[0-9a-f]+|(?=[a-z]*\d)[0-9a-f]{7,})$/i;
/** UUIDs among them. */
const LONG_ID = /^(?=\D*\d)[\w-]{16,}$/;
const TIME = /^(?:\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?)?|\d{1,2}:\d{2}:\d{2}(?:\.\d+)?Z?)$/;
/** Codes such as TS2322 or E0308 identify the error and stay. */
const ERROR_CODE = /^[A-Z]{1,4}\d{2,5}$/;

/**
 * Masks everything in a line that varies between runs: paths, addresses, times, ids and numbers (product.md "Stuck").
 * Idempotent.
 */
export function normaliseLine(line: string): string {
  const plain = stripAnsi(line.slice(0, 4 * LONGEST_LINE))
    .replace(URL, "<url>")
    .trim()
    .replace(/\s+/g, " ");
  return clipCodePoints(plain.replace(TOKEN, maskToken), LONGEST_LINE).trim();
}

function maskToken(token: string): string {
  const end = /[.:!?]+$/.exec(token.slice(-5))?.[0] ?? "";
  const word = token.slice(0, token.length - end.length);
  return mask(word) + end;
}

function mask(word: string): string {
  if (/[\\/]/.test(word)) return "<path>";
  if (TIME.test(word)) return "<time>";
  if (ERROR_CODE.test(word)) return word;
  if (HEX_ID.test(word) || LONG_ID.test(word)) return "<id>";
  return word.replace(/\d+(?:[.:]\d+)*/g, "<n>");
}

/** A stable hash of a set of lines, independent of order and repetition; null for no lines. */
export function fingerprintLines(lines: readonly string[]): string | null {
  if (lines.length === 0) return null;
  return hash([...new Set(lines)].sort().join("\n"));
}

/** FNV-1a in two lanes over UTF-16 code units, as 16 hexadecimal digits. Not for secrets. */
function hash(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x9747b28c;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul(b ^ unit, 0x85ebca6b);
    b ^= b >>> 13;
  }
  return [a, b].map((lane) => (lane >>> 0).toString(16).padStart(8, "0")).join("");
}
