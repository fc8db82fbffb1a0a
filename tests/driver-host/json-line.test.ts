import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parseJsonLine } from "../../src/driver-host/json-line.ts";
import { growth, IN_PROPORTION } from "../growth.ts";
import { seed } from "../seed.ts";

const object = { type: "x", text: 'a "quoted" } brace \\' };
const text = JSON.stringify(object);

describe("parseJsonLine", () => {
  test.each<[string, string, unknown]>([
    ["with one object", text, object],
    ["with a byte order mark", `\uFEFF${text}`, object],
    ["with CR and blanks", `  ${text}\t\r`, object],
    ["with colours around the object", `\u001b[31m${text}\u001b[0m`, object],
    ["with a window title before the object", `\u001b]0;claude\u0007${text}`, object],
    ["with a title ended by ST after the object", `${text}\u001b]0;x\u001b\\`, object],
    [
      "with terminal escapes at the end",
      `${text}\u001b[?1006l\u001b(B\u000f\u001b[>4m\u001b[<u\u001b7\u001b[r\u001b8`,
      object,
    ],
    ["with two objects", `${text}{"b":1}`, [object, { b: 1 }]],
    ["with two objects and a blank", `${text} {"b":1}`, [object, { b: 1 }]],
    ["with two arrays", '[{"a":1}][{"b":2}]', [{ a: 1 }, { b: 2 }]],
    ["with one array", '[{"a":1}]', [{ a: 1 }]],
  ])("reads a line %s", (_, line, expected) => expect(parseJsonLine(line)).toEqual(expected as never));

  test.each([
    "",
    " ",
    "42",
    "null",
    '"text"',
    "NaN",
    "}",
    "{'a':1}",
    '{"a":1',
    `${text} trailing`,
    `${text}${text.slice(1)}`,
    "\u001b[31mred\u001b[0m",
  ])("returns null for %p", (line) => expect(parseJsonLine(line)).toBeNull());

  test("never throws, and finds any object between escapes", () => {
    const escapes = fc.array(fc.constantFrom(" ", "\u001b[0m", "\u001b]0;t\u0007", "\uFEFF", "\u001b7"), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(escapes, fc.dictionary(fc.string(), fc.jsonValue()), escapes, (before, value, after) => {
        const json = JSON.stringify(value);
        expect(parseJsonLine(before.join("") + json + after.join(""))).toEqual(JSON.parse(json));
      }),
      { seed },
    );
    fc.assert(
      fc.property(fc.string(), (line) => void parseJsonLine(line)),
      { seed },
    );
  });

  test.each<[string, (size: number) => string]>([
    ["opened objects", (size) => "{".repeat(size)],
    ["empty objects", (size) => "{}".repeat(size / 2)],
    ["colours", (size) => `${"\u001b[0m".repeat(size / 4)}x`],
    ["sequences that never end", (size) => `{}${"\u001b]".repeat(size / 2)}`],
  ])("takes time in proportion to the length of %s", async (_, line) => {
    expect(await growth(line, parseJsonLine, 300_000)).toBeLessThan(IN_PROPORTION);
  });
});

test("a value deeper than any real one is none: what walks it, or writes it into the journal, would end the run", () => {
  const deep = (depth: number, inner = "1") => `${'{"a":['.repeat(depth / 2)}${inner}${"]}".repeat(depth / 2)}`;
  expect(parseJsonLine(deep(1000))).not.toBeNull();
  expect(parseJsonLine(deep(1002))).toBeNull();
  expect(parseJsonLine(`{"type":"assistant","input":${deep(60_000)}}`)).toBeNull();
  expect(parseJsonLine(`[1,${deep(60_000)},${deep(2)}]`)).toBeNull();
  const words = "[".repeat(5000);
  expect(parseJsonLine(JSON.stringify({ text: `\\"${words}\\`, more: words }))).toEqual({
    text: `\\"${words}\\`,
    more: words,
  });
  expect(parseJsonLine(`[${"[],".repeat(5000)}1]`)).toHaveLength(5001);
});
