import { describe, expect, test } from "bun:test";
import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { byteLines } from "../../../src/effects/journal/byte-lines.ts";
import { isBulky, isWords, type LineFilter } from "../../../src/effects/journal/line-filter.ts";
import { testFolder } from "../../folders.ts";
import { seed } from "../../seed.ts";

const folder = testFolder("lines");
const path = join(folder, "lines");

type Found = { text: string | null; begins: number; after: number };

function linesOf(content: string, from = 0, most = 1 << 26): Found[] {
  writeFileSync(path, content);
  const fd = openSync(path, "r");
  try {
    const lines = byteLines(fd, from, most);
    const found: Found[] = [];
    while (lines.next())
      found.push({
        text: lines.isTooLong ? null : lines.bytes.toString("utf8", lines.start, lines.end),
        begins: lines.begins,
        after: lines.after,
      });
    return found;
  } finally {
    closeSync(fd);
  }
}

/** The same by cutting the whole. */
function cut(content: string): Found[] {
  const all = content.split("\n").slice(0, -1);
  let at = 0;
  return all.map((text) => {
    const begins = at;
    at += Buffer.byteLength(text) + 1;
    return { text, begins, after: at };
  });
}

describe("lines of bytes", () => {
  test("are those of the whole text, however long they are beside a chunk, without a torn tail", () => {
    const lengths = fc.oneof(fc.nat(300), fc.integer({ min: (1 << 20) - 3, max: (1 << 20) + 3 }), fc.nat(3 << 20));
    fc.assert(
      fc.property(fc.array(lengths, { maxLength: 6 }), fc.nat(50), (sizes, tail) => {
        const content = [...sizes.map((size, at) => "aé".slice(at % 2).repeat(size)), "x".repeat(tail)].join("\n");
        expect(linesOf(content)).toEqual(cut(content));
      }),
      { seed, numRuns: 30 },
    );
  });

  test("begin where they are told to", () => {
    expect(linesOf("one\ntwo\nthree\n", 4).map(({ text }) => text)).toEqual(["two", "three"]);
  });

  test("that are too long are named and not kept, wherever a chunk ends", () => {
    const long = "y".repeat(3 << 20);
    expect(linesOf(`a\n${long}\nb\n`, 0, 1 << 20).map(({ text }) => text)).toEqual(["a", null, "b"]);
  });
});

describe("what is left out of a journal", () => {
  const head = '{"v":1,"seq":1,"at":"2026-03-04T12:00:00.000Z","run":"0001-20260304-120000","iteration":1,';
  const isLeftOut = (filter: () => LineFilter, ...lines: string[]) => {
    const bytes = Buffer.from(`${lines.join("\n")}\n`);
    const test = filter();
    let start = 0;
    return lines.map((line) => {
      const end = start + Buffer.byteLength(line);
      const found = test(bytes, start, end);
      start = end + 1;
      return found;
    });
  };
  const WORDS = `${head}"type":"agent_text","call":1,"text":"hello"}`;
  const DONE = `${head}"type":"agent_tool_finished","call":1,"content":"fine","is_error":false}`;
  const FAILED = `${head}"type":"agent_tool_finished","call":1,"content":"no","is_error":true}`;
  const STARTED = `${head}"type":"agent_tool_started","call":1,"tool":"Other","input":{"type":"agent_text"}}`;
  const SAID = `${head}"type":"said","text":"\\"type\\":\\"agent_text\\""}`;

  test("is judged by each line alone, though places found are kept for the next", () => {
    expect(isLeftOut(isWords, "", "{", WORDS, FAILED, DONE, SAID, STARTED, "no json", DONE, FAILED)).toEqual([
      ...[false, false, true, false, true, false, false, false, true, false],
    ]);
    expect(isLeftOut(isBulky, STARTED, SAID, FAILED, "", WORDS)).toEqual([true, false, true, false, true]);
  });

  test("is not what only names such a type within", () => {
    const late = `{"v":1,"note":"${"n".repeat(300)}","type":"agent_text"}`;
    const other = `${head}"type":"agent_textual"}`;
    expect(isLeftOut(isWords, late, other)).toEqual([false, false]);
  });
});
