import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  firstLine,
  plainText,
  singleLine,
  stripAnsi,
  visibleControls,
  visibleStyles,
} from "../../../src/core/text/plain-text.ts";
import { seed } from "../../seed.ts";

describe("plain text", () => {
  test.each([
    ["a window's title", "\u001b]0;title\u0007x", "x"],
    ["a link", "\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\", "link"],
    ["a title that is never ended", "\u001b]0;title\nx", "\nx"],
    ["colours", "\u001b[38;5;1mred\u001b[0m", "red"],
    ["an escape of one character", "a\u009b31mb", "ab"],
    ["a character set", "\u001b(Ba\u001b7", "a"],
    ["controls but tabs", "a\tb\u0000\u0007\u0085c", "a\tbc"],
    ["old line ends", "a\r\nb\rc", "a\nb\nc"],
    ["what turns the direction around", "a\u202eb\u2066c", "abc"],
    ["half a character", "\ud83d", "\ufffd"],
  ])("%s", (_, text, expected) => expect(plainText(text)).toBe(expected));

  test("cannot move the cursor, whatever its source", () => {
    const pieces = fc.constantFrom("\u001b", "[", "]", "0", ";", "m", "\u0007", "\\", "\n", "\u009b", "(", "a", " ");
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that may not be left
        expect(plainText(parts.join(""))).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
      }),
      { seed },
    );
  });

  test("takes linear time", () => {
    for (const piece of ["\u001b[", "\u001b[0", "\u001b]0;", "\u001b(", "\u009b1;"])
      expect(plainText(piece.repeat(200_000)).length).toBeLessThan(1_000_000);
  });
});

test("stripAnsi keeps other control characters", () => {
  expect(stripAnsi("\u001b[1ma\u001b[0m\r\n\u0007")).toBe("a\r\n\u0007");
});

test("a single line has no line ends, and one blank between words", () => {
  expect(singleLine("  a\r\n\tb  \u001b[1mc\u001b[0m\u00a0d ")).toBe("a b c d");
});

test("a first line is cut between characters, not inside one", () => {
  expect(firstLine("\n  👍👍👍 x", 2)).toBe("👍👍");
});

describe("text for a terminal", () => {
  test.each([
    ["a title", "a\u001b]0;t\u0007b", "a\\u001b]0;t\\u0007b"],
    ["a cursor move", "\u001b[2J\u009b1A", "\\u001b[2J\\u009b1A"],
    ["a word hidden by another direction", "a\u202eb", "a\\u202eb"],
    ["concealed text", "\u001b[8mx", "\\u001b[8mx"],
    ["a return that overwrites the line", "good\rbad", "good\\u000dbad"],
    ["NUL", "a\u0000b", "a\\u0000b"],
  ])("shows %s", (_, text, shown) => expect(visibleControls(text)).toBe(shown));

  test("keeps line ends, tabs and its own styles", () => {
    const text = "\u001b[1ma\u001b[22m\tb\r\nc\n\u001b[32md\u001b[39m";
    expect(visibleControls(text)).toBe(text);
  });
});

test("in a text that is wholly someone else's a colour is shown, too", () => {
  expect(visibleStyles("\u001b[30m\u001b[40mx\u001b[2J\tb\r\nc\n")).toBe("\\u001b[30m\\u001b[40mx\\u001b[2J\tb\r\nc\n");
});
