import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { outputEnds } from "../../../src/effects/process/output-ends.ts";

const root = mkdtempSync(join(tmpdir(), "ralph-ends-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test.each([
  ["nothing", "", { head: "", tail: "" }],
  ["what fits", "12345", { head: "12345", tail: "" }],
  ["a little more", "1234567", { head: "12345", tail: "67" }],
  ["much more", "1234567890", { head: "12345", tail: "890" }],
  ["characters that are cut", "123é5678ü0", { head: "123é", tail: "ü0" }],
  ["half characters", "1234é678ü90", { head: "1234", tail: "90" }],
])("of %s beginning and end are told", (_name, text, expected) => {
  const path = join(root, "out");
  writeFileSync(path, text);
  expect(outputEnds(path, { head: 5, tail: 3 })).toEqual(expected);
});

test("a file that is not there has no ends", () => {
  expect(outputEnds(join(root, "none"), { head: 5, tail: 3 })).toEqual({ head: "", tail: "" });
});
