import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { truncate } from "../../../src/core/text/truncate.ts";
import { seed } from "../../seed.ts";

describe("a truncated text", () => {
  const family = "\u{1F469}\u200D\u{1F469}\u200D\u{1F466}";
  const cases: [string, string, number, string][] = [
    ["is unchanged if it fits", "abc", 3, "abc"],
    ["ends in an ellipsis", "abcd", 3, "ab…"],
    ["keeps surrogate pairs whole", "a\u{1F600}\u{1F600}", 4, "a\u{1F600}…"],
    ["drops half a pair", "a\u{1F600}b", 3, "a…"],
    ["keeps combining marks with their letter", "xe\u0301yz", 3, "x…"],
    ["keeps joined emoji whole", `a${family}${family}`, 10, `a${family}…`],
    ["keeps what no ASCII comes before", "\u{1F600}\u{1F600}\u{1F600}", 5, "\u{1F600}\u{1F600}…"],
    ["keeps a mark behind ASCII with its letter", "abce\u0301", 4, "abc…"],
    ["never parts a line end", "ab\r\ncd", 4, "ab…"],
    ["drops blanks before the ellipsis", "ab  cd", 5, "ab…"],
    ["is empty without room", "abc", 0, ""],
    ["replaces lone surrogates", "a\uD83D", 5, "a\uFFFD"],
  ];
  for (const [name, text, max, expected] of cases) test(name, () => expect(truncate(text, max)).toBe(expected));
});

test("a truncated text is never too long or ill-formed", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 60 }), fc.integer({ min: 0, max: 40 }), (text, max) => {
      const short = truncate(text, max);
      expect(short.length).toBeLessThanOrEqual(max);
      expect(short.isWellFormed()).toBe(true);
    }),
    { seed },
  );
});
