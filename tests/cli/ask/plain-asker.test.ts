import { describe, expect, test } from "bun:test";
import { PassThrough, Writable } from "node:stream";
import { BACK, LEFT } from "../../../src/cli/ask/asker.ts";
import { plainAsker } from "../../../src/cli/ask/plain-asker.ts";
import { wantsPlain } from "../../../src/cli/terminal.ts";

function asker(typed: string, signal?: AbortSignal) {
  let shown = "";
  const output = new Writable({
    write(chunk: Buffer, _, done) {
      shown += chunk.toString();
      done();
    },
  });
  const input = new PassThrough();
  input.end(typed);
  return { ask: plainAsker({ input, output, ...(signal === undefined ? {} : { signal }) }), shown: () => shown };
}

const FRUIT = [
  { value: "a", label: "apple" },
  { value: "b", label: "\u001b[1mberry\u001b[22m" },
];

describe("plain questions", () => {
  test("number the choices, take Enter for the one in brackets, and ask again after what is none", async () => {
    const { ask, shown } = asker("\n3\nb\n 1 \n");
    expect(await ask.select("Which?", FRUIT, "b")).toBe("b");
    expect(await ask.select("Which?", FRUIT)).toBe("a");
    expect(shown()).toBe(
      "Which?\n  1. apple\n  2. berry\nNumber [2]: Which?\n  1. apple\n  2. berry\nNumber [1]: Please give a number from 1 to 2.\n" +
        "Number [1]: Please give a number from 1 to 2.\nNumber [1]: ",
    );
  });

  test("take several lines that came at once one after the other, with any line end", async () => {
    const { ask } = asker("one\r\ntwo\rthree\n");
    expect([await ask.text("1?"), await ask.text("2?"), await ask.text("3?")]).toEqual(["one", "two", "three"]);
  });

  test("say what is wrong with a text, and give the text in brackets for Enter", async () => {
    const { ask, shown } = asker("bad\n\n");
    const check = (text: string) => (text === "bad" ? "Not that." : undefined);
    expect(await ask.text("Text?", { initial: "good", check })).toBe("good");
    expect(shown()).toBe("Text? [good] Not that.\nText? [good] ");
  });

  test("understand yes and no in any length and case", async () => {
    const { ask } = asker("Y\nno\nmaybe\nYES\n\n");
    expect([
      await ask.confirm("?", false),
      await ask.confirm("?", true),
      await ask.confirm("?", false),
      await ask.confirm("?", true),
    ]).toEqual([true, false, true, true]);
  });

  test("go back with <, and end with Escape, with the input and with a signal", async () => {
    const { ask } = asker("<\n\u001b\n");
    expect([await ask.text("?"), await ask.text("?"), await ask.text("?")]).toEqual([BACK, LEFT, LEFT]);
    expect(await asker("x\n", AbortSignal.abort()).ask.text("?")).toBe(LEFT);
  });
});

test("questions are plain on a dumb terminal, and where ACCESSIBLE says so", () => {
  expect([{ TERM: "dumb" }, { ACCESSIBLE: "1" }, { ACCESSIBLE: "true" }].map(wantsPlain)).toEqual([true, true, true]);
  expect([{}, { TERM: "xterm" }, { ACCESSIBLE: "" }, { ACCESSIBLE: "0" }].map(wantsPlain)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
