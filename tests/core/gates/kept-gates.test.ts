import { describe, expect, test } from "bun:test";
import {
  formatFrozen,
  isStillMeasure,
  parseFrozen,
  parseLastSeen,
  textOf,
} from "../../../src/core/gates/kept-gates.ts";

const bytes = (...values: number[]) => Uint8Array.from(values);

test("kept gate files come back byte by byte, text or not", () => {
  const files = new Map([
    ["a.test.js", { id: "100644 1", content: new TextEncoder().encode("\ufeffsüß\r\n") }],
    ["logo.png", { id: "100644 2", content: bytes(0x89, 0x50, 0, 0xff, 0xfe) }],
    ["empty", { id: "100644 3", content: bytes() }],
    ["large.bin", { id: "100644 4", content: null }],
  ]);
  expect(parseFrozen(formatFrozen(files))).toEqual(files);
});

test.each([["{"], ["[]"], ['{"files":{"a":1}}'], [""]])("what is no kept file is none: %p", (text) => {
  expect(parseFrozen(text)).toBeNull();
});

test("the text of a file that is none can be compared", () => {
  expect(textOf(bytes(0x61, 0xff))).toStartWith("a");
});

test.each([['{"a":1}'], ["x"]])("what no run wrote at its end is nothing that it saw: %p", (text) => {
  expect(parseLastSeen(text)).toBeNull();
});

describe("a gate file of unfinished work", () => {
  const file = { id: "old" };
  test.each([
    ["is judged by its frozen text where the agent changed it", { a: "agent's" }, "agent's", true],
    ["is judged by its frozen text where the agent deleted it", { a: null }, null, true],
    ["is a person's where it changed after the end", { a: "agent's" }, "person's", false],
    ["is a person's where only a person changed it", {}, "person's", false],
    ["is a person's where a person deleted it", {}, null, false],
    ["is judged by its frozen text where the run broke off", null, "whoever's", true],
  ])("%s", (_name, seen, now, expected) => {
    expect(isStillMeasure("a", file, seen, now)).toBe(expected);
  });
});
