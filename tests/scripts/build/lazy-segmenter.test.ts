import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import stringWidth from "string-width";
import { lazySegmenter } from "../../../scripts/lib/build/lazy-segmenter.ts";

const SOURCE = readFileSync(Bun.resolveSync("string-width", import.meta.dirname), "utf8");

test("string-width with a lazy segmenter measures as before", async () => {
  // Beside the project's packages, so that its own imports are found.
  const folder = mkdtempSync(join(import.meta.dirname, ".lazy-"));
  try {
    const file = join(folder, "index.mjs");
    writeFileSync(file, lazySegmenter(SOURCE));
    const { default: lazyWidth }: { default: typeof stringWidth } = await import(file);
    for (const text of ["plain", "日本語", "e\u0301", "👨‍👩‍👧 family", "한".normalize("NFD"), "ｶﾞ"])
      expect([text, lazyWidth(text)]).toEqual([text, stringWidth(text)]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("loading string-width with a lazy segmenter does not touch Intl", () => {
  expect(lazySegmenter(SOURCE)).not.toMatch(/^const \w+ = new Intl\./m);
});

test("a string-width without the line to change fails the build", () => {
  expect(() => lazySegmenter("export default () => 0;")).toThrow("string-width has changed");
});
