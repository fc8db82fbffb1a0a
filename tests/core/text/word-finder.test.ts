import { expect, test } from "bun:test";
import fc from "fast-check";
import { createWordFinder } from "../../../src/core/text/word-finder.ts";
import { seed } from "../../seed.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");

test.each([
  ["a word", ["sk-"], "task-1", 2],
  ["a word that begins within another one", ["abcd", "bce"], "xabce", 2],
  ["the shorter of two", ["ghp_", "p_"], "ghp_", 2],
  ["a word that is there twice", ["ab", "ab"], "xab", 1],
  ["what is no ASCII", ["\xdfand"], "a\xdfand", 1],
  ["no word", ["ghp_", "AKIA"], "ghp AKI ghpAKI_", -1],
])("finds %s", (_, words, text, expected) => {
  expect(createWordFinder(words).in(bytes(text))(0)).toBe(expected);
});

test("finds, from any place on, the first word of any in any text", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "c"), minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(
      fc.array(letters, { minLength: 1, maxLength: 6 }),
      fc.array(letters, { maxLength: 12 }),
      fc.array(fc.nat(8), { minLength: 1, maxLength: 8 }),
      (words, parts, steps) => {
        const text = parts.join("");
        const find = createWordFinder(words).in(bytes(text));
        const shortest = words.filter((word) => !words.some((other) => other !== word && word.includes(other)));
        let from = 0;
        for (const step of steps) {
          const places = shortest.map((word) => text.indexOf(word, from)).filter((place) => place !== -1);
          expect(find(from)).toBe(places.length === 0 ? -1 : Math.min(...places));
          from = Math.min(text.length, from + step);
        }
      },
    ),
    { seed, numRuns: 500 },
  );
});
