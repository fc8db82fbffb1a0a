import { expect, test } from "bun:test";
import fc from "fast-check";
import { takeBack } from "../../../src/core/checkpoints/take-back.ts";
import { seed } from "../../seed.ts";

const FILE = 0o100644;
const file = (text: string, mode = FILE) => ({ mode, bytes: Buffer.from(text, "latin1") });
const textOf = (taken: ReturnType<typeof takeBack>) =>
  "conflict" in taken ? taken.conflict : taken.file && Buffer.from(taken.file.bytes).toString("latin1");

const BASE = "a\nb\nc\nd\ne\n";

test.each([
  ["a change that nothing came after", "a\nB\nc\nd\ne\n", "a\nB\nc\nd\ne\n", BASE],
  ["a change, and keeps one elsewhere", "a\nB\nc\nd\ne\n", "a\nB\nc\nd\nE\n", "a\nb\nc\nd\nE\n"],
  ["a change that was taken back already", "a\nB\nc\nd\ne\n", BASE, BASE],
  ["lines that were added", "a\nb\nx\ny\nc\nd\ne\n", "0\na\nb\nx\ny\nc\nd\ne\n", "0\na\nb\nc\nd\ne\n"],
  ["a change whose line was changed since: no", "a\nB\nc\nd\ne\n", "a\nC\nc\nd\ne\n", "its line 2 changed since"],
  ["bytes that are no UTF-8", "a\n\xff\xfe\nc\nd\ne\n", "a\n\xff\xfe\nc\nd\n\xf0\n", "a\nb\nc\nd\n\xf0\n"],
  ["a change of what is no text: no", "a\nB\0\n", "a\nC\0\n", "it is no text, and was changed since"],
])("takes back %s", (_, after, now, expected) => {
  expect(textOf(takeBack(file(now), { before: file(BASE), after: file(after) }))).toBe(expected);
});

test("takes files back that were made, deleted or made a program", () => {
  expect(takeBack(file("new"), { before: null, after: file("new") })).toEqual({ file: null });
  expect(takeBack(null, { before: file("old"), after: null })).toEqual({ file: file("old") });
  expect(takeBack(file("x", 0o100755), { before: file("x"), after: file("x", 0o100755) })).toEqual({ file: file("x") });
  const more = { before: file(BASE), after: file(BASE, 0o100755) };
  expect(takeBack(file("a\n", 0o100755), more)).toEqual({ file: file("a\n") });
});

test("says what stands in the way of files that were made or deleted since", () => {
  expect(textOf(takeBack(null, { before: file("1"), after: file("2") }))).toBe("it was deleted since");
  expect(textOf(takeBack(file("3"), { before: file("1"), after: null }))).toBe("it was made anew since");
  expect(textOf(takeBack(file("3"), { before: null, after: file("2") }))).toBe(
    "it was new then, and was changed since",
  );
});

test("a change above and one below any others are each taken back alone", () => {
  const lines = fc.array(fc.constantFrom("a", "b", "c", "dd"), { minLength: 3, maxLength: 12 });
  fc.assert(
    fc.property(lines, lines, lines, lines, (top, middle, bottom, changed) => {
      // The lines between are like no others, as the merge needs a place to hold on to.
      const join = (first: string[], last: string[]) => [...first, "=1=", ...middle, "=2=", "=3=", ...last].join("\n");
      const before = file(join(top, bottom));
      const after = file(join(changed, bottom));
      const now = file(join(changed, [...bottom, "later"]));
      expect(takeBack(now, { before, after })).toEqual({ file: file(join(top, [...bottom, "later"])) });
    }),
    { seed },
  );
});
