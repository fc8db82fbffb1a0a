import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createLineSplitter } from "../../../src/effects/process/line-splitter.ts";
import { wholeLinesOf } from "../../../src/effects/process/whole-lines.ts";
import { seed } from "../../seed.ts";

describe("lines", () => {
  test.each([
    ["", []],
    ["\n", [""]],
    ["a\nb", ["a", "b"]],
    ["a\r\nb\r\n", ["a", "b"]],
    ["a\rb\n", ["a\rb"]],
    ["last\r", ["last"]],
    ["\n\n\n", ["", "", ""]],
    ["ü€😀\n\u2028\n", ["ü€😀", "\u2028"]],
    ["\uFEFF{}\n", ["\uFEFF{}"]],
  ])("of %j are split at LF and CRLF", (text, lines) => {
    expect(split([Buffer.from(text)])).toEqual(lines);
  });

  test("of invalid UTF-8 contain the replacement character", () => {
    expect(split([Buffer.from([0x61, 0xff, 0x62, 0x0a])])).toEqual(["a\uFFFDb"]);
  });

  test("do not depend on where the chunks end", () => {
    const text = fc.array(fc.constantFrom("\n", "\r\n", "\r", "a", "ü", "€", "😀", "a long piece of text"), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(text, fc.array(fc.nat(9), { maxLength: 60 }), (pieces, sizes) => {
        const bytes = Buffer.from(pieces.join(""));
        expect(split(cut(bytes, sizes), 12)).toEqual(split([bytes], 12));
      }),
      { seed },
    );
  });

  test.each([
    ["xxxxx\ny\n", ["xxxx", "y"]],
    ["xxxx\r\ny\n", ["xxxx", "y"]],
    ["xxx€\ny\n", ["xxx", "y"]],
    ["x😀\n", ["x"]],
    ["xxxxxxxxxxxx", ["xxxx"]],
  ])("over the cap of 4 bytes are cut between characters: %j", (text, lines) => {
    expect(split([Buffer.from(text)], 4)).toEqual(lines);
  });

  test("of one chunk may outnumber the arguments that a call takes", () => {
    expect(split([Buffer.alloc(1_000_000, "\n")])).toHaveLength(1_000_000);
  });
});

describe("whole lines are decoded in texts", () => {
  const wholeAt = (chunk: string, most: number) => wholeLinesOf(Buffer.from(chunk), most)?.texts;

  test.each([
    [1, ["b", "c\r", "", "dd"]],
    [4, ["b", "c\r\n", "dd"]],
    [5, ["b\nc\r", "\ndd"]],
    [100, ["b\nc\r\n\ndd"]],
  ])("of at most %d bytes, but for a longer line", (most, texts) => {
    expect(wholeAt("a\nb\nc\r\n\ndd\nrest", most)).toEqual(texts);
  });

  test("that are the lines of the chunk, whatever their length", () => {
    const chunk = fc.array(fc.constantFrom("\n", "\r\n", "a", "ü", "😀", "a long piece of text"), { maxLength: 40 });
    fc.assert(
      fc.property(chunk, fc.integer({ min: 1, max: 60 }), (pieces, most) => {
        const bytes = Buffer.from(pieces.join(""));
        const splitter = createLineSplitter();
        const lines = [...splitter.push(bytes, wholeLinesOf(bytes, most)), ...splitter.end()];
        expect(lines).toEqual(split([bytes]));
      }),
      { seed },
    );
  });
});

function split(chunks: Buffer[], cap?: number): string[] {
  const splitter = createLineSplitter(cap);
  return [...chunks.map((chunk) => splitter.push(chunk)), splitter.end()].flat();
}

function cut(bytes: Buffer, sizes: number[]): Buffer[] {
  const chunks: Buffer[] = [];
  let at = 0;
  for (const size of sizes) {
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return [...chunks, bytes.subarray(at)];
}
