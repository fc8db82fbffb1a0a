import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { fingerprintLines, normaliseLine } from "../../../src/core/answer/fingerprint.ts";
import { seed } from "../../seed.ts";

describe("normalising an error line", () => {
  const cases: [string, string][] = [
    ["Error: cannot open /tmp/a-17/db.sqlite", "Error: cannot open <path>"],
    ["Error: C:\\work\\a.ts(12,5): no such file", "Error: <path>(<n>,<n>): no such file"],
    ["error in src/a.ts:12:5: boom", "error in <path>: boom"],
    ["parser.ts:12 failed after 3.5s", "parser.ts:<n> failed after <n>s"],
    ["2026-11-21T20:50:15.289220Z ERROR core: x", "<time> ERROR core: x"],
    ["at 12:03:59.123 request req_011CSHoEeqs5C35K failed", "at <time> request <id> failed"],
    ["id 0f8e7d6c-1234-4abc-9def-001122334455 at 0x7ffe12", "id <id> at <id>"],
    ["commit deadbeef1 is bad", "commit <id> is bad"],
    ["see https://example.org/x?y=1 now", "see <url> now"],
    ["see HTTPS://EXAMPLE.ORG now", "see <url> now"],
    ["user name1234567890abcdef@host", "user name<n>abcdef@host"],
    ["error TS2322: Type 'A'", "error TS2322: Type 'A'"],
    ["\u001b[91mError:\u001b[0m   red  ", "Error: red"],
    ["feedback is a word", "feedback is a word"],
  ];
  for (const [line, expected] of cases) test(`masks ${line}`, () => expect(normaliseLine(line)).toBe(expected));

  test("changes nothing the second time", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 400 });
    const once = (line: string) => normaliseLine(line);
    fc.assert(
      fc.property(text, (line) => {
        expect(once(once(line))).toBe(once(line));
      }),
      { seed },
    );
  });
});

test("a fingerprint is independent of the lines' order and repetition", () => {
  const a = fingerprintLines(["Error: a", "Error: b"]);
  expect(a).toMatch(/^[0-9a-f]{16}$/);
  expect(fingerprintLines(["Error: b", "Error: a", "Error: b"])).toBe(a);
  expect(fingerprintLines(["Error: a"])).not.toBe(a);
  expect(fingerprintLines(["Error: a\nError: c"])).not.toBe(a);
  expect(fingerprintLines([])).toBeNull();
});

test("a fingerprint is the same in every version, because journals store it", () => {
  expect(fingerprintLines(["Error: cannot open <path>"])).toMatchInlineSnapshot(`"bdc8f6070bafdcbd"`);
});

test("only the first 1,200 characters of a line are read", () => {
  const url = `https://example.org/${"x".repeat(1180)}`;
  expect(normaliseLine(`${url} is not found`)).toBe("<url>");
  expect(normaliseLine(`${url.slice(0, 1000)} is not found`)).toBe("<url> is not found");
});
