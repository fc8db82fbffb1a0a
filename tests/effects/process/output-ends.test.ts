import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outputEnds } from "../../../src/effects/process/output-ends.ts";

const root = mkdtempSync(join(tmpdir(), "ralph-ends-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

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

test("a missing file has no ends", () => {
  expect(outputEnds(join(root, "none"), { head: 5, tail: 3 })).toEqual({ head: "", tail: "" });
});
