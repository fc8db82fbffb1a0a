import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withGeneratedParts } from "../scripts/lib/generated-docs.ts";

const readme = readFileSync(join(import.meta.dirname, "..", "README.md"), "utf8");

test("the README's tables say what the program says (mend with: npm run docs)", () => {
  expect(readme).toBe(withGeneratedParts(readme));
});

test("a table that is out of date is noticed", () => {
  expect(withGeneratedParts(readme.replace("MAX_CALLS_PER_HOUR", "MAX_CALLS"))).toBe(withGeneratedParts(readme));
});

test("a marker without a table is an error", () => {
  expect(() => withGeneratedParts("<!-- made from the program: nothing -->\n<!-- end -->")).toThrow(
    "no part called nothing",
  );
});
