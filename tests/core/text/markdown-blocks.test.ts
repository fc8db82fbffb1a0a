import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  closesFence,
  parseBox,
  parseFence,
  parseHeading,
  parseListItem,
} from "../../../src/core/text/markdown-blocks.ts";
import { seed } from "../../seed.ts";

describe("the heading parser", () => {
  test.each([
    ["# One", 1, "One"],
    ["   ###### Six  ", 6, "Six"],
    ["##\tTab", 2, "Tab"],
    ["## Closed ##", 2, "Closed"],
    ["## Port to C#", 2, "Port to C#"],
    ["## C# ##", 2, "C#"],
    ["##", 2, ""],
    ["## ##", 2, ""],
  ])("reads level and title of %j", (line, level, title) => expect(parseHeading(line)).toEqual({ level, title }));

  test.each(["#none", "    # code", "####### seven", "- # item", "text", ""])("refuses %j", (line) =>
    expect(parseHeading(line)).toBeNull(),
  );
});

describe("the list item parser", () => {
  test.each([
    ["- a", { indent: "", marker: "-", isNumbered: false, gap: " ", text: "a" }],
    ["\t12)  [x] b", { indent: "\t", marker: "12)", isNumbered: true, gap: "  ", text: "[x] b" }],
    ["  + c ", { indent: "  ", marker: "+", isNumbered: false, gap: " ", text: "c " }],
  ])("splits %j into its parts", (line, item) => expect(parseListItem(line)).toEqual(item));

  test.each(["-a", "- ", "-", "1 a", "1234567890. a", "• a", "---"])("refuses %j", (line) =>
    expect(parseListItem(line)).toBeNull(),
  );
});

describe("the box parser", () => {
  test.each([
    ["- [ ] a", " ", "a", false],
    ["  * [x] b", "x", "b", true],
    ["1. [X] c", "X", "c", true],
    ["+ [\u00a0] d", "\u00a0", "d", false],
    ["- [\t] e", "\t", "e", false],
    ["- [x]f", "x", "f", true],
    ["- [ ]", " ", "", false],
    ["- [] g", "", "g", false],
    ["2. []", "", "", false],
    ["- [  ] h", "  ", "h", false],
  ])("reads mark and words of %j", (line, mark, text, isDone) =>
    expect(parseBox(line)).toMatchObject({ mark, text, isDone }),
  );

  test.each([
    "- []a",
    "- []byte",
    "- [](url)",
    "- [][ref]",
    "- [-] a",
    "- [x x] a",
    "- [x](url)",
    "- [x][ref]",
    "[ ] a",
    "-[ ] a",
    "> - [ ] a",
  ])("refuses %j", (line) => expect(parseBox(line)).toBeNull());

  test("returns parts that together are the line", () => {
    const part = (...words: string[]) => fc.constantFrom(...words);
    const line = fc.tuple(part("", "  ", "\t"), part("-", "7."), part(" ", "   "), part(" ", "x"), part("", " "));
    fc.assert(
      fc.property(line, fc.string(), ([indent, marker, gap, mark, blank], words) => {
        fc.pre(!/[\n\r]/.test(words));
        const written = `${indent}${marker}${gap}[${mark}]${blank}${words}`;
        const box = parseBox(written);
        fc.pre(box !== null);
        expect(`${box?.before}${box?.mark}${box?.after}${box?.text}`).toBe(written);
      }),
      { seed },
    );
  });
});

describe("the fence parser", () => {
  test.each([
    ["```", { mark: "`", length: 3, info: "" }],
    ["  ~~~~ ts title ", { mark: "~", length: 4, info: "ts title" }],
    ["~~~ `a`", { mark: "~", length: 3, info: "`a`" }],
  ])("accepts %j", (line, fence) => expect(parseFence(line)).toEqual(fence));

  test.each(["``", "```npm test```", "a ```", "- ```"])("refuses %j", (line) => expect(parseFence(line)).toBeNull());

  test("closes a fence only at one of its kind, at least as long, and alone", () => {
    const open = { mark: "`", length: 4, info: "ts" };
    const closing = ["````", "  `````  ", "```", "~~~~", "```` ts", "```` x", "text"];
    expect(closing.filter((line) => closesFence(line, open))).toEqual(["````", "  `````  "]);
  });
});

test.each([
  ["hashes", (n: number) => `# ${"# ".repeat(n)}x`, parseHeading],
  ["blanks", (n: number) => `- [ ]${" ".repeat(n)}x`, parseBox],
  ["digits and blanks", (n: number) => `1.${" ".repeat(n)}`, parseListItem],
  ["backticks", (n: number) => `${"`".repeat(n)} \``, parseFence],
])("a Markdown line of many %s is parsed in linear time", (_, line, parse) => {
  expect(() => parse(line(500_000))).not.toThrow();
});
