import { describe, expect, test } from "bun:test";
import { markdownLines } from "../../../src/view/text/markdown.ts";
import { style } from "../../../src/view/text/style.ts";
import { columns } from "../../../src/view/text/text.ts";

/** Styles as readable marks. */
function shown(text: string, width: number): string[] {
  const marks: Readonly<Record<string, string>> = { 1: "<b>", 22: "</>", 2: "<d>", 36: "<c>", 39: "</>" };
  return markdownLines(text, width, style(true)).map((line) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what style.ts writes
    line.replace(/\u001b\[(\d+)m/g, (_, code: string) => marks[code] ?? "?"),
  );
}

describe("markdown", () => {
  const cases: [name: string, text: string, width: number, lines: string[]][] = [
    ["a bullet is folded below its words", "- one two three four", 12, ["• one two", "  three four"]],
    ["a number is folded below its words", "10. one two three", 12, ["10. one two", "    three"]],
    ["a nested item keeps its place", "  - one two three", 12, ["  • one two", "    three"]],
    ["a box needs no bullet", "- [x] done\n- [ ] open", 20, ["[x] done", "[ ] open"]],
    ["bold is bold on both sides of a fold", "go **on and on**", 8, ["go <b>on</>", "<b>and</> <b>on</>"]],
    ["bold words may hold code", "**`a` is b**", 20, ["<b>a</> <b>is</> <b>b</>"]],
    ["globs are not bold", "src/**/*.ts and test/**/*.js", 40, ["src/**/*.ts and test/**/*.js"]],
    ["a glob at a word's start is not bold", "**/*.ts and **/*.js", 40, ["**/*.ts and **/*.js"]],
    ["a link shows its address", "[docs](https://a.b/c) here", 40, ["docs <d>(https://a.b/c)</> here"]],
    ["a link to itself stands once", "[src/a.ts](src/a.ts)", 40, ["<c>src/a.ts</>"]],
    ["a quote has a bar on every line", "> one two three", 10, ["<d>│ </>one two", "<d>│ </>three"]],
    ["code has a bar, and stays as it is", "```ts\n**a** - `b`\n```", 20, ["<d>│ </>**a** - `b`"]],
    [
      "a fence in a longer fence is code",
      "````\n```\na\n```\n````\n**b**",
      9,
      bars("```", "a", "```").concat("<b>b</>"),
    ],
    ["a rule is a rule", "a\n\n---\nb", 30, ["a", "", `<d>${"─".repeat(24)}</>`, "b"]],
    ["a heading's marks go", "## `a` **b** ##", 20, ["<b>a b</>"]],
    ["a hash at the end of a word is no mark", "## Port to C#", 20, ["<b>Port to C#</>"]],
    ["a box may have no blank behind it", "- [x]done", 20, ["[x]done"]],
    ["a link of one letter is no box", "- [x](a.md)", 20, ["• x <d>(a.md)</>"]],
    ["code between three backticks on one line opens no block", "```a```\n**b**", 20, ["<c>a</>", "<b>b</>"]],
    ["code may hold backticks", "``a`b`` and `` `c` `` and ``d", 40, ["<c>a`b</> and <c>`c`</> and ``d"]],
    ["words alone are words", "2 * 3 * 4, snake_case, __init__", 40, ["2 * 3 * 4, snake_case, __init__"]],
  ];
  test.each(cases)("case: %s", (_, text, width, lines) => {
    expect(shown(text, width)).toEqual(lines);
  });

  function bars(...lines: string[]): string[] {
    return lines.map((line) => `<d>│ </>${line}`);
  }

  test("aligns the columns of a table", () => {
    const table = "| Case | Before |\n|---|:-:|\n| `a|b` | wrong |\n| 日本 | right \\| left |\n\nAfter";
    expect(shown(table, 40)).toEqual([
      "<b>Case</>  <b>Before</>",
      "<d>────</>  <d>────────────</>",
      "<c>a|b</>   wrong",
      "日本  right | left",
      "",
      "After",
    ]);
  });

  test("folds the cells of a wide table, and leaves a far too wide one unchanged", () => {
    const table = "| a | b |\n|---|---|\n| one two three | four |";
    expect(shown(table, 14)).toEqual([
      "<b>a</>         <b>b</>",
      "<d>────────</>  <d>────</>",
      "one two   four",
      "three",
    ]);
    expect(shown("|a|b|c|\n|-|-|-|\n|oneoneone|twotwotwo|threethree|", 12)[0]).toBe("|a|b|c|");
  });

  test("keeps every line of any text within the width", () => {
    const pieces = [
      "- `aaaaaaaaaaaa`",
      "**日本語日本語日本語**",
      "> 👩‍👩‍👧‍👦 x",
      "| a | b |",
      "|-|-|",
      "```",
      "1. [a](b)",
      "***",
      "\\",
    ];
    for (let seed = 0; seed < 200; seed += 1) {
      const text = pieces
        .map((_, at) => pieces[(seed * (at + 3) + at * at) % pieces.length])
        .join(seed % 2 ? "\n" : " ");
      for (const width of [12, 21, 40])
        for (const line of markdownLines(text, width, style(true)))
          expect({ text, line, fits: columns(line) <= width }).toEqual({ text, line, fits: true });
    }
  });

  test("changes only the folds of list items without colours", () => {
    const text = "## A\n- **one** two three\n```\n- x\n```\n| a | b |\n|---|---|";
    expect(markdownLines(text, 14, style(false))).toEqual([
      "## A",
      "- **one** two",
      "  three",
      "```",
      "- x",
      "```",
      "| a | b |",
      "|---|---|",
    ]);
  });
});
