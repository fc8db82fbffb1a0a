import { expect, test } from "bun:test";
import fc from "fast-check";
import { createWordFinder } from "../../../src/core/text/word-finder.ts";
import { seed } from "../../seed.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");

test.each([
  ["a word", ["sk-"], "task-1", 4],
  ["a word that begins within another one", ["abcd", "bce"], "xabce", 4],
  ["the end of a longer word", ["ghp_", "p_"], "xp_", 2],
  ["what is no ASCII", ["\xdfand"], "a\xdfand", 4],
  ["no word", ["ghp_", "AKIA"], "ghp AKI ghpAKI_", -1],
])("finds %s", (_, words, text, expected) => {
  expect(createWordFinder(words).find(bytes(text), 0)).toBe(expected);
});

test("looks only at what lies behind a place", () => {
  expect(createWordFinder(["ab"]).find(bytes("ab ab"), 1)).toBe(4);
  expect(createWordFinder(["ab"]).find(bytes("ab ab"), 4)).toBe(-1);
});

test("finds the word that ends first, of any words in any text", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(
      fc.array(letters, { minLength: 1, maxLength: 6 }),
      fc.array(letters, { maxLength: 12 }),
      (words, parts) => {
        const text = parts.join("");
        const ends = words.filter((word) => text.includes(word)).map((word) => text.indexOf(word) + word.length - 1);
        expect(createWordFinder(words).find(bytes(text), 0)).toBe(ends.length === 0 ? -1 : Math.min(...ends));
      },
    ),
    { seed, numRuns: 500 },
  );
});
