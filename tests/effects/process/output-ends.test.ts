import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileSize, outputEnds } from "../../../src/effects/process/output-ends.ts";
import { testFolder } from "../../folders.ts";

const root = testFolder("ends");

test.each([
  ["an empty file", "", { head: "", tail: "" }],
  ["a file that fits", "12345", { head: "12345", tail: "" }],
  ["a slightly longer file", "1234567", { head: "12345", tail: "67" }],
  ["a much longer file", "1234567890", { head: "12345", tail: "890" }],
  ["a file whose cuts split characters", "123é5678ü0", { head: "123é", tail: "ü0" }],
  ["a file whose cuts leave half characters", "1234é678ü90", { head: "1234", tail: "90" }],
])("outputEnds returns the beginning and end of %s", (_name, text, expected) => {
  const path = join(root, "out");
  writeFileSync(path, text);
  expect(outputEnds(path, { head: 5, tail: 3 })).toEqual(expected);
});

test("of a part of a file the ends are those of what follows its beginning", () => {
  const path = join(root, "out");
  writeFileSync(path, "1234567890");
  expect(outputEnds(path, { head: 5, tail: 3, from: 4 })).toEqual({ head: "56789", tail: "0" });
  expect(outputEnds(path, { head: 2, tail: 3, from: 4 })).toEqual({ head: "56", tail: "890" });
  expect(outputEnds(path, { head: 5, tail: 3, from: 99 })).toEqual({ head: "", tail: "" });
});

test("only a regular file has a size", () => {
  const path = join(root, "out");
  writeFileSync(path, "12345");
  expect([path, root, join(root, "none"), join(path, "below")].map(fileSize)).toEqual([5, 0, 0, 0]);
});

test("a missing file has no ends", () => {
  expect(outputEnds(join(root, "none"), { head: 5, tail: 3 })).toEqual({ head: "", tail: "" });
});
