import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parsePlan, planComplete, planDelta, planReport } from "../../../src/core/plan/fix-plan.ts";
import { growth, IN_PROPORTION } from "../../growth.ts";
import { seed } from "../../seed.ts";
import { settingsOf } from "../given.ts";

const { OPTIONAL_SECTIONS } = settingsOf();
const parse = (text: string) => parsePlan(text, OPTIONAL_SECTIONS);

test("all boxes are listed as they stand in the plan, ticked ones too", () => {
  const { boxes } = parse("## Later\n- [x] a\n## Optional\n- [ ] b\n## Core\n- [ ] c");
  expect(boxes.map(({ text, isDone, line, section }) => [text, isDone, line, section])).toEqual([
    ["a", true, 2, "Later"],
    ["b", false, 4, "Optional"],
    ["c", false, 6, "Core"],
  ]);
});

describe("counting boxes", () => {
  /** checked, blocking open, optional open */
  const cases: [string, string, [number, number, number]][] = [
    ["all bullets", "- [ ] a\n* [x] b\n+ [X] c\n1. [ ] d\n23) [x] e", [3, 2, 0]],
    ["any indent", "    - [ ] a\n\t\t* [x] b", [1, 1, 0]],
    ["blanks before the box and none after it", "-   [ ]   a\n- [x]b\n- [ ]", [1, 2, 0]],
    [
      "other marks and links do not count",
      "- [-] a\n- []byte b\n- [x x] c\n- [x](url)\n- [ ][ref]\n- [](url)\n-[ ] d",
      [0, 0, 0],
    ],
    ["a box whose blank was forgotten is open", "- [x] a\n- [] b\n* []", [1, 2, 0]],
    ["one with more blanks in it too", "- [x] a\n- [  ] b\n- [ \t ] c", [1, 2, 0]],
    ["but the words behind it must be apart", "- []string", [0, 0, 0]],
    ["no bullet, no box", "[ ] a\n> - [ ] b\ntext - [ ] c", [0, 0, 0]],
    ["a byte order mark and old line ends", "\uFEFF- [ ] a\r- [x] b\r\n- [x] c", [2, 1, 0]],
    [
      "a line separator of a word processor ends no line",
      "## Optional\u2028\n- [ ] a\u2028b\n# More\u2029\n- [ ] c\u2029",
      [0, 1, 1],
    ],
    ["code fences are skipped", "```md\n- [ ] a\n```\n~~~\n- [ ] b\n```\n~~~\n- [x] c", [1, 0, 0]],
    ["a longer fence holds a shorter one", "````\n```\n- [ ] a\n````\n- [x] c", [1, 0, 0]],
    ["a fence in a list is one too", "- [x] a\n  ```\n  - [ ] b\n  ```", [1, 0, 0]],
    ["a fence that is never closed hides nothing", "- [x] a\n```\n- [ ] b", [1, 1, 0]],
    ["inline code is no fence", "``` a ```\n- [ ] b\n```", [0, 1, 0]],
    ["comments are skipped, over lines too", "<!-- - [ ] a -->\n<!--\n- [ ] b\n--> \n- [x] c <!-- no -->", [1, 0, 0]],
    ["a comment that is never closed hides nothing", "- [x] a\n<!-- note\n- [ ] b", [1, 1, 0]],
    ["a comment in inline code is none", "- [ ] a `<!--` b\n- [ ] b -->", [0, 2, 0]],
    ["a comment holds a fence", "<!--\n```\n-->\n- [ ] a\n```\n- [x] b\n```", [0, 1, 0]],
    ["optional by name, without markup, case, colon and hashes", "## **Nice  to have:** ##\n- [ ] a", [0, 0, 1]],
    ["optional as a link", "## [Optional](./later.md)\n- [ ] a", [0, 0, 1]],
    ["optional down to the same level", "## Optional\n### Required?\n- [ ] a\n## Core\n- [ ] b", [0, 1, 1]],
    ["an optional section below a required one", "## Core\n### Optional\n- [ ] a\n### More\n- [ ] b", [0, 1, 1]],
    [
      "optional inside optional goes on after the inner",
      "# Future\n## Optional\n- [ ] a\n## Other\n- [ ] b",
      [0, 0, 2],
    ],
    ["an empty heading ends a section", "## Optional\n##\n- [ ] a", [0, 1, 0]],
    ["a heading in a fence does not", "## Optional\n```\n## Core\n```\n- [ ] a", [0, 0, 1]],
    ["seven hashes or no blank are no heading", "## Optional\n####### Core\n#Core\n- [ ] a", [0, 0, 1]],
  ];
  for (const [name, text, [checked, blocking, optional]] of cases) {
    test(`case: ${name}`, () => {
      const total = checked + blocking;
      const unchecked = blocking + optional;
      expect(parse(text).counts).toEqual({ total, checked, unchecked, blocking_unchecked: blocking });
    });
  }
  test("takes every box as blocking without optional sections", () => {
    expect(parsePlan("## Optional\n- [ ] a", []).counts.blocking_unchecked).toBe(1);
    expect(parsePlan("##\n- [ ] a", [" "]).counts.blocking_unchecked).toBe(1);
  });
});

test("the next tasks of a plan are its open boxes, blocking ones first, with line, title and text", () => {
  const text = "# Plan\n## Optional\n- [ ] later\n## **High:** ##\n- [x] done\n- [ ] `now` <!-- soon -->\n";
  expect(planReport("fix_plan.md", parse(text))).toEqual({
    file: "fix_plan.md",
    total: 2,
    checked: 1,
    unchecked: 2,
    blocking_unchecked: 1,
    plan_complete: false,
    next: [
      { line: 6, text: "`now`", section: "High", optional: false },
      { line: 3, text: "later", section: "Optional", optional: true },
    ],
  });
});

test("a plan is complete if a box is ticked and none blocks", () => {
  expect(planComplete(parse("- [x] a\n## Future\n- [ ] b").counts)).toBe(true);
  expect(planComplete(parse("## Future\n- [ ] b").counts)).toBe(false);
  expect(planComplete(parse("").counts)).toBe(false);
  expect(planComplete(null)).toBe(false);
});

test("the ticked boxes are the difference of two counts", () => {
  const [open, done] = [parse("- [ ] a").counts, parse("- [x] a").counts];
  expect([planDelta(open, done), planDelta(done, open), planDelta(null, done)]).toEqual([1, -1, 0]);
});

test("any text parses as a plan with consistent counts", () => {
  const piece = fc.constantFrom(
    "- [ ] a",
    "- [x] b",
    "## Optional",
    "# Core",
    "```",
    "~~~~",
    "<!--",
    "-->",
    "`",
    " ",
    "\n",
    "\r\n",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 60 }), (pieces) => {
      const text = pieces.join("");
      const { counts, tasks } = parse(text);
      expect(counts.total).toBe(counts.blocking_unchecked + counts.checked);
      expect(tasks.length).toBe(counts.unchecked);
      expect(tasks.filter((task) => !task.optional).length).toBe(counts.blocking_unchecked);
      expect(parse(text.replace(/\r?\n/g, "\r\n")).counts).toEqual(counts);
    }),
    { seed },
  );
});

describe("a plan takes linear time", () => {
  // Runs of backticks of different lengths, with the text's total length.
  const runs = (size: number) => Array.from({ length: Math.sqrt(2 * size) }, (_, index) => "`".repeat(index));
  test.each<[string, (size: number) => string]>([
    ["fences that never close", (size) => "```a\n".repeat(size / 5)],
    ["shorter and shorter fences", (size) => runs(size).reverse().join("\n")],
    ["comments that never close", (size) => "<!--".repeat(size / 4)],
    ["comments opened on each line", (size) => "<!-- a\n".repeat(size / 7)],
    ["backticks that never match", (size) => runs(size).join(" ")],
    ["matching backticks", (size) => "`a` ``b`` ".repeat(size / 10)],
    ["blanks", (size) => " ".repeat(size)],
    ["a title of blanks", (size) => `# ${" ".repeat(size)}x #`],
    ["a title of brackets", (size) => `# ${"[".repeat(size)}`],
    ["digits", (size) => "1".repeat(size)],
    ["boxes", (size) => "- [ ] a\n".repeat(size / 8)],
  ])("if it consists of %s", async (_, text) => {
    expect(await growth(text, parse, 1_000_000)).toBeLessThan(IN_PROPORTION);
    const { counts, tasks } = parse(text(1_000_000));
    expect(tasks.length).toBe(counts.unchecked);
  });
});
