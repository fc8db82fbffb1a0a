import { expect, test } from "bun:test";
import fc from "fast-check";
import { anchoredPattern } from "../../../src/core/text/anchored-pattern.ts";
import { seed } from "../../seed.ts";

const found = (words: readonly string[], text: string) =>
  new RegExp(words.map((word) => anchoredPattern(word)).join("|")).exec(text)?.[0] ?? null;

test("a word is found from its rarest character on", () => {
  expect(found(["ghp_", "AKIA"], "a ghp_b")).toBe("_");
  expect(found(["ghp_", "AKIA"], "an AKIA9")).toBe("KIA");
  expect(found(["://"], "https://x")).toBe("://");
  expect(found(["ghp_"], "gh_ p_ hp_")).toBeNull();
});

test("what stands before a word counts", () => {
  const pattern = new RegExp(anchoredPattern("sk-", "(?<![a-z])"));
  expect(["sk-1", "a sk-1", "task-1"].map((text) => pattern.test(text))).toEqual([true, true, false]);
});

test("any words are found in any text where they stand, and nowhere else", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "Z", "_", ".", "\xdf"), minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(
      fc.array(letters, { minLength: 1, maxLength: 6 }),
      fc.array(letters, { maxLength: 12 }),
      (words, parts) => {
        const text = parts.join("");
        expect(found(words, text) !== null).toBe(words.some((word) => text.includes(word)));
      },
    ),
    { seed, numRuns: 500 },
  );
});
