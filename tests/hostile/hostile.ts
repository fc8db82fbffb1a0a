/** What no honest program writes. Equal seeds give equal input, so that a failure is found again. */
import { type Random, randomOf } from "../drivers/recordings/mutations.ts";
import { seed } from "../seed.ts";

/** Values of other kinds, other sizes, and beyond every measure. */
export const VALUES: readonly unknown[] = [
  null,
  "",
  "x",
  "\u0000",
  "\u001b]0;title\u0007\u001b[2J",
  "\ud800",
  "a\u202eb\r\n\tc",
  "__proto__",
  "constructor",
  "9".repeat(400),
  "x".repeat(20_000),
  0,
  -1,
  -5,
  1.5,
  1e15,
  1e300,
  -1e300,
  true,
  false,
  [],
  [[]],
  [null],
  ["x", 1],
  {},
  { a: { b: [1] } },
  { length: -1 },
  "2026-13-45T99:99:99Z",
  "+275760-09-13T00:00:00.001Z",
];

/** The texts of formats, for texts that mix them. */
const PIECES = [
  "---RALPH_STATUS---",
  "---END_RALPH_STATUS---",
  "STATUS: COMPLETE",
  "EXIT_SIGNAL: true",
  "TASKS_COMPLETED_THIS_LOOP: -5",
  "- [ ] one",
  "- [x] two",
  "  * [",
  "# Title",
  "####### ",
  "```",
  "~~~~",
  "<!--",
  "-->",
  "| a | b |",
  "|---|:-:|",
  "{",
  "}",
  '{"type":"result","result":',
  '"',
  "\\",
  "[x](y)",
  "**",
  "_",
  "`",
  "<w:p>",
  "<w:tbl>",
  "&#x110000;",
  "MAX_COST_USD=",
  "$(x)",
  "'",
  "\u0000",
  "\u001b[31m",
  "\ud83d",
  "日本語",
  "\r\n",
  "\n",
  "\n\n",
  " ",
  "\t",
  "   ",
  "x",
  "1.",
  "=====",
  "-----",
];

/** A random generator of its own for each kind of input. */
export function chance(of: string): Random {
  return randomOf([...of].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, seed));
}

export function oneOf<T>(list: readonly T[], random: Random): T {
  // The list is never empty, so the index is always in it.
  return list[Math.floor(random() * list.length)] as T;
}

/** A text of up to `most` pieces; one in four repeats one piece, as a search for slow patterns does. */
export function hostileText(random: Random, most = 40): string {
  const length = Math.floor(random() * most);
  if (random() < 0.25) return oneOf(PIECES, random).repeat(length * 50);
  return Array.from({ length }, () => oneOf(PIECES, random)).join("");
}

/** The value with something in it replaced or taken away: the deeper, the rarer. */
export function spoiled(value: unknown, random: Random): unknown {
  if (typeof value !== "object" || value === null || random() < 0.2) return oneOf(VALUES, random);
  const keys = Object.keys(value);
  if (keys.length === 0) return oneOf(VALUES, random);
  const key = oneOf(keys, random);
  if (Array.isArray(value)) return value.with(Number(key), spoiled(value[Number(key)], random));
  const { [key]: old, ...rest } = value as Record<string, unknown>;
  return random() < 0.2 ? rest : { ...rest, [key]: spoiled(old, random) };
}

/** Bytes with some changed, cut off, or doubled. */
export function spoiledBytes(bytes: Uint8Array, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  for (let left = 1 + Math.floor(random() * 8); left > 0 && copy.length > 0; left -= 1)
    copy[Math.floor(random() * copy.length)] = oneOf([0, 1, 0x7f, 0x80, 0xff, Math.floor(random() * 256)], random);
  if (random() < 0.3) return copy.subarray(0, Math.floor(random() * copy.length));
  return random() < 0.1 ? Buffer.concat([copy, copy]) : copy;
}
