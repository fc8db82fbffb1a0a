import { describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { diffLines, fileDiff } from "../../../src/core/diff/unified-diff.ts";
import { seed } from "../../seed.ts";

describe("a diff", () => {
  test.each([
    ["", "a\n", ["@@ -0,0 +1 @@", "+a"]],
    ["a\n", "", ["@@ -1 +0,0 @@", "-a"]],
    ["a\nb\n", "a\nc\n", ["@@ -1,2 +1,2 @@", " a", "-b", "+c"]],
    ["a", "a\n", ["@@ -1 +1 @@", "-a", "\\ No newline at end of file", "+a"]],
    ["a\r\n", "a\r\nb\r\n", ["@@ -1 +1,2 @@", " a\r", "+b\r"]],
    ["a\n", "a\n", []],
  ])("of %j and %j names the changed lines", (before, after, lines) => expect(diffLines(before, after)).toEqual(lines));

  test("has two hunks for two distant changes, and one for two close ones", () => {
    const text = (...marks: number[]) =>
      Array.from({ length: 30 }, (_, n) => `${n}${marks.includes(n) ? "!" : ""}\n`).join("");
    const heads = (...marks: number[]) => diffLines(text(), text(...marks)).filter((line) => line.startsWith("@@"));
    expect(heads(5, 20)).toEqual(["@@ -3,7 +3,7 @@", "@@ -18,7 +18,7 @@"]);
    expect(heads(5, 12)).toEqual(["@@ -3,14 +3,14 @@"]);
  });

  test("of long texts takes linear time", () => {
    const text = (word: string) => Array.from({ length: 20_000 }, (_, n) => `${word} ${n}\n`).join("");
    expect(diffLines(text("a"), text("b"))).toHaveLength(40_001);
  });

  test("of an unchanged file is empty", () => expect(fileDiff({ path: "x", before: "a\n", after: "a\n" })).toEqual([]));
  test("of a new empty file is only its header", () =>
    expect(fileDiff({ path: "x", before: null, after: "" })).toEqual(["diff --git a/x b/x", "new file mode 100644"]));
});

test.skipIf(Bun.which("git") === null)("git applies a diff, and the file has the new content", () => {
  const top = mkdtempSync(join(tmpdir(), "ralph-diff-"));
  try {
    const line = fc.constantFrom("a\n", "b\n", "c\r\n", "\n", "- [ ] x\n", "+++ b/x\n", "-- y\n");
    const text = fc
      .tuple(fc.array(line, { maxLength: 25 }), fc.constantFrom("", "end"))
      .map(([lines, end]) => lines.join("") + end);
    const quoted = process.platform === "win32" ? "no quote there.md" : 'q"uote.md';
    const path = fc.constantFrom(".ralph/@fix_plan.md", "a b/ö c.md", quoted);
    const change = fc.record({ path, before: fc.option(text), after: text });
    const changes = fc.sample(change, { seed, numRuns: 60 });
    const patch: string[] = [];
    for (const [index, { path: name, before, after }] of changes.entries()) {
      const file = `${index}/${name}`;
      mkdirSync(dirname(join(top, file)), { recursive: true });
      if (before !== null) writeFileSync(join(top, file), before);
      patch.push(...fileDiff({ path: file, before, after }));
    }
    const git = Bun.spawnSync(["git", "-c", "core.autocrlf=false", "apply", "--whitespace=nowarn", "-"], {
      cwd: top,
      stdin: Buffer.from(`${patch.join("\n")}\n`),
      env: { PATH: process.env.PATH ?? "", HOME: top },
    });
    expect(git.stderr.toString()).toBe("");
    for (const [index, { path: name, before, after }] of changes.entries())
      if (before !== null || after !== "") expect(readFileSync(join(top, `${index}/${name}`), "utf8")).toBe(after);
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
});
