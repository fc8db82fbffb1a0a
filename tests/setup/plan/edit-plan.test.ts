import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parsePlan } from "../../../src/core/plan/fix-plan.ts";
import {
  addTask,
  markTask,
  moveTask,
  type Place,
  rewordTask,
  skipTask,
  taskText,
} from "../../../src/setup/plan/edit-plan.ts";
import { newPlan } from "../../../src/setup/plan/new-plan.ts";
import { seed } from "../../seed.ts";

const PLAN = `# Plan
Words of the user.

## High Priority
- [ ] one
  > detail of one

  more of one
  * [x] a part of one
- [ ] two <!-- note -->

## Notes
- [X] three
`;

const text = (edit: { text: string } | null) => edit?.text ?? "no edit";

describe("a tick", () => {
  test("changes one character of the plan", () => {
    expect(text(markTask(PLAN, 5, true))).toBe(PLAN.replace("[ ] one", "[x] one"));
    expect(text(markTask(PLAN, 13, false))).toBe(PLAN.replace("[X] three", "[ ] three"));
  });
  test("of a line that is no box is none", () => expect(markTask(PLAN, 2, true)).toBeNull());
});

describe("new words", () => {
  test("replace a task's words on its line, and leave the comment behind them", () => {
    expect(text(rewordTask(PLAN, 10, "2\n- [x] not a task"))).toBe(
      PLAN.replace("[ ] two <!--", "[ ] 2 - [x] not a task <!--"),
    );
  });
  test("cannot open a comment that would hide the boxes below", () => {
    expect(parsePlan(text(rewordTask(PLAN, 5, "a <!-- b")), []).boxes).toHaveLength(4);
  });
});

describe("an added task", () => {
  const add = (plan: string, place: Place) => addTask(plan, "new", place);
  const LAST = PLAN.replace("<!-- note -->\n", "<!-- note -->\n- [ ] new\n");
  test("stands behind the last open one and what belongs to it", () => {
    expect(text(add(PLAN, { kind: "last", openLines: [5] }))).toBe(
      PLAN.replace("a part of one\n", "a part of one\n- [ ] new\n"),
    );
  });
  test("is no part of a task whose part is the last open one", () => {
    const plan = "## A\n1. [ ] one\n   - [x] a\n   - [ ] b\n     - [ ] c\n     more\n   words\n\n## B\n";
    expect(text(add(plan, { kind: "last", openLines: [2, 4, 5] }))).toBe(
      plan.replace("   words\n", "   words\n1. [ ] new\n"),
    );
    expect(text(add("- [ ] one\n## B\n  - [ ] two\n", { kind: "last", openLines: [3] }))).toBe(
      "- [ ] one\n## B\n  - [ ] two\n  - [ ] new\n",
    );
  });
  test("before a task has that one's indent and bullet", () => {
    expect(text(add(PLAN, { kind: "before", line: 9 }))).toBe(
      PLAN.replace("  * [x] a part", "  * [ ] new\n  * [x] a part"),
    );
  });
  test("goes to the end of a named section, in any case", () => {
    expect(text(add(PLAN, { kind: "section", title: "high priority:" }))).toBe(LAST);
    expect(add(PLAN, { kind: "section", title: "nowhere" })).toBeNull();
    expect(text(add("# A\n\n# B\n", { kind: "section", title: "A" }))).toBe("# A\n\n- [ ] new\n\n# B\n");
  });
  test("goes to the section of its priority, which is made if the plan has none", () => {
    expect(text(add(PLAN, { kind: "priority", priority: "high" }))).toBe(LAST);
    const edit = add(PLAN, { kind: "priority", priority: "low" });
    expect(text(edit)).toContain("## Low Priority\n\n- [ ] new\n\n## Notes\n");
    expect(text(edit).split("\n")[(edit?.line ?? 0) - 1]).toBe("- [ ] new");
  });
  test.each([
    ["", "- [ ] new\n"],
    ["# Plan\n", "# Plan\n- [ ] new\n"],
    ["# Plan", "# Plan\n- [ ] new"],
  ])("comes last in a plan without boxes: %j", (plan, wanted) => {
    expect(text(add(plan, { kind: "last", openLines: [] }))).toBe(wanted);
  });
  test("goes below the first priority of a plan without open boxes, as set-up makes it", () => {
    const fresh = newPlan("shop", []);
    const edit = add(fresh, { kind: "last", openLines: [] });
    const { tasks } = parsePlan(text(edit), []);
    expect(tasks).toMatchObject([{ text: "new", section: "High Priority", line: edit?.line }]);
    const [first] = fresh.split("\n## Medium Priority");
    expect(text(edit)).toBe(fresh.replace(`${first}`, `${first?.trimEnd()}\n- [ ] new\n`));
    expect(text(add("## Done\n- [x] one\n\n## Low\n", { kind: "last", openLines: [] }))).toBe(
      "## Done\n- [x] one\n\n## Low\n\n- [ ] new\n",
    );
  });
  test.each([
    ["- [x] one\n\n## Notes\nwords\n", "- [x] one\n- [ ] new\n\n## Notes\nwords\n"],
    ["# Plan\n\n## Optional\n- [ ] later\n", "# Plan\n\n- [ ] new\n\n## Optional\n- [ ] later\n"],
    ["## Completed\n- [x] one\n", "- [ ] new\n\n## Completed\n- [x] one\n"],
    ["words\n## Notes", "words\n\n- [ ] new\n\n## Notes"],
  ])("stands above what is no work to come: %j", (plan, wanted) => {
    expect(text(add(plan, { kind: "last", openLines: [] }))).toBe(wanted);
  });
  test("has the plan's line ends, and a plan without a last one stays so", () => {
    expect(text(add("- [ ] a\r\n- [ ] b", { kind: "after", line: 2 }))).toBe("- [ ] a\r\n- [ ] b\r\n- [ ] new");
    expect(text(add("## Low\r\n\r\n- [ ] a\r\n", { kind: "priority", priority: "low" }))).toBe(
      "## Low\r\n\r\n- [ ] a\r\n- [ ] new\r\n",
    );
  });
});

describe("a moved task", () => {
  test("takes the lines below it along", () => {
    expect(text(moveTask(PLAN, 5, 13))).toBe(
      "# Plan\nWords of the user.\n\n## High Priority\n- [ ] two <!-- note -->\n\n## Notes\n- [ ] one\n  > detail of one\n\n  more of one\n  * [x] a part of one\n- [X] three\n",
    );
  });
  test("gets the indent of its new place", () => {
    expect(text(moveTask("- [ ] a\n  - [ ] b\n- [ ] c\n  > d\n", 3, 2))).toBe(
      "- [ ] a\n  - [ ] c\n    > d\n  - [ ] b\n",
    );
  });
  test("cannot go into itself", () => expect(moveTask(PLAN, 5, 9)).toBeNull());
});

test("whatever is done to a task, every other line keeps its words, and no task is lost", () => {
  const words = ["# A", "## High Priority", "- [ ] x", "  * [x] y", "1. [ ] z", "", "words", "  more", "\t- [X] t"];
  const row = fc.tuple(fc.constantFrom(...words), fc.constantFrom("\n", "\r\n"));
  const plan = fc
    .tuple(fc.array(row, { minLength: 1, maxLength: 12 }), fc.boolean())
    .map(([rows, open]) => rows.map((parts) => parts.join("")).join("") + (open ? "last" : ""));
  const bag = (whole: string) => (whole.match(/[^\r\n]+/g) ?? []).map((line) => line.trim()).sort();
  fc.assert(
    fc.property(plan, fc.nat(), fc.nat(), (before, n, m) => {
      const { boxes } = parsePlan(before, []);
      const [one, other] = [boxes[n % (boxes.length || 1)], boxes[m % (boxes.length || 1)]];
      if (one === undefined || other === undefined) return;
      expect(text(markTask(before, one.line, true))).toHaveLength(before.length);
      const added = addTask(before, "new", { kind: "after", line: one.line });
      const fresh = (added?.text.split(/\r\n|\n/)[added.line - 1] ?? "").trim();
      expect(fresh).toMatch(/\[ \] new$/);
      expect(bag(text(added))).toEqual([...bag(before), fresh].sort());
      const moved = moveTask(before, one.line, other.line);
      if (moved !== null) expect(bag(moved.text)).toEqual(bag(before));
    }),
    { seed, numRuns: 300 },
  );
});

describe("a skipped task", () => {
  test("goes with its lines to the end of an optional section", () => {
    const plan =
      "# Plan\n- [ ] one\n  more of one\n- [ ] two\n\n## Nice to have\n- [ ] three\n\n### Deeper\n- [ ] four\n";
    expect(text(skipTask(plan, 2, ["Optional", "Nice to Have"]))).toBe(
      "# Plan\n- [ ] two\n\n## Nice to have\n- [ ] three\n- [ ] one\n  more of one\n\n### Deeper\n- [ ] four\n",
    );
  });
  test("gets such a section at the end of a plan without one, and its own indent is none", () => {
    expect(text(skipTask("- [ ] one\r\n  - [ ] part\r\n- [ ] two", 2, ["Later"]))).toBe(
      "- [ ] one\r\n- [ ] two\r\n\r\n## Later\r\n\r\n- [ ] part",
    );
    expect(text(skipTask("- [ ] one\n", 1, ["Later"]))).toBe("\n## Later\n\n- [ ] one\n");
    expect(skipTask("# no box\n", 1, ["Later"])).toBeNull();
  });
  test("does not block, and no other box is lost", () => {
    const box = fc.record({
      done: fc.boolean(),
      indent: fc.constantFrom("", "  "),
      title: fc.constantFrom("", "## High", "## Optional"),
    });
    fc.assert(
      fc.property(fc.array(box, { minLength: 1, maxLength: 8 }), fc.nat(), (boxes, chosen) => {
        const plan = boxes
          .map(
            ({ done, indent, title }, at) =>
              `${title === "" ? "" : `\n${title}\n`}${indent}- [${done ? "x" : " "}] task ${at}\n`,
          )
          .join("");
        const before = parsePlan(plan, ["Optional"]).boxes;
        const at = chosen % before.length;
        const after = parsePlan(text(skipTask(plan, before[at]?.line ?? 0, ["Optional"])), ["Optional"]).boxes;
        expect(after.map((one) => one.text).sort()).toEqual(before.map((one) => one.text).sort());
        expect(after.find((one) => one.text === before[at]?.text)?.optional).toBe(true);
      }),
      { seed },
    );
  });
});

test.each([
  ["- [ ] Print it", "Print it"],
  ["* [x]  Print it", "Print it"],
  ["3. [ ] Print it", "Print it"],
  ["- [ ]", ""],
  ["- Print it", "- Print it"],
  ["[link](x) first", "[link](x) first"],
])("a task that is pasted with its box, %j, is its words", (pasted, words) => expect(taskText(pasted)).toBe(words));
