import { describe, expect, test } from "bun:test";
import { documentReport } from "../../../../src/setup/import/document-report.ts";
import { convertDocument } from "../../../../src/setup/import/formats/convert-document.ts";
import { newPlan } from "../../../../src/setup/plan/new-plan.ts";
import { growth, IN_PROPORTION } from "../../../growth.ts";

const FEATURES =
  "# Shop\n\n## Requirements\n\n- FR-1: Search (Must)\n- FR-2: Sign in (Could)\n- FR-3: Pay by card (Should)\n- FR-4: Refunds (Must)\n- FR-5: Wish list (Must)\n- FR-6: Gift cards (optional)\n\n";
const plan = (milestones: string) => newPlan("x", convertDocument({ name: "x.md", text: FEATURES + milestones }).tasks);
/** The headings and boxes of a plan, in order. */
const order = (milestones: string) =>
  plan(milestones)
    .split("\n")
    .filter((line) => /^(?:###? (?!Notes|Completed)|- \[)/.test(line))
    .map((line) => line.replace(/^- \[ \] (FR-\d).*/, "$1"));

const WANTED = [
  "## High Priority",
  "### M1: Walking skeleton",
  "FR-2",
  "FR-3",
  "### Further tasks",
  "FR-5",
  "## Medium Priority",
  "### M2: Money",
  "FR-1",
  "FR-4",
];

describe("a plan is in the order of the milestones", () => {
  test.each([
    ["in a list", "## Milestones\n\n1. **M1: Walking skeleton**: FR-2, FR-3\n2. M2: Money – FR-1 and FR-4\n"],
    [
      "with lists below",
      "## Milestones\n\n- M1: Walking skeleton\n  - FR-2\n  - Pay by card\n- M2: Money\n  - FR-1, FR-4\n",
    ],
    [
      "in a table",
      "## 5. Roadmap\n\n| M | Name | What |\n|--|--|--|\n| M1 | Walking skeleton | FR-2–FR-3 |\n| M2 | Money | FR-1, FR-4 |\n",
    ],
    [
      "as headings",
      "## Milestones\n\n### M1: Walking skeleton\n\nFR-2 to FR-3 work.\n\n### M2: Money\n\n- FR-1\n- FR-4\n",
    ],
    [
      "in bold",
      "## Milestones (dates are open)\n\n**M1: Walking skeleton**\n\n- Sign in\n- FR-3\n\n**M2: Money**\n\n- FR-1\n- FR-4\n",
    ],
    ["as chapters", "## M1: Walking skeleton\n\nFR-2 to 3 work.\n\n## M2: Money\n\nFR-1, FR-4.\n"],
  ])("%s", (_, milestones) => expect(order(milestones).slice(0, WANTED.length)).toEqual(WANTED));

  test("in linear time, with the report, from many milestones and from a range without an end", async () => {
    const text = (lines: number) =>
      `${"A-".repeat(lines)}1\n${Array.from({ length: lines / 4 }, (_, n) => `## Milestone ${n}\n- [ ] Task ${n}\n- A-${n} to A-999999999\n`).join("")}`;
    const read = (document: string) => {
      const { tasks } = convertDocument({ name: "x.md", text: document });
      return documentReport(document, tasks);
    };
    expect(read(text(100)).tasks).toHaveLength(25);
    expect(await growth(text, read, 20_000)).toBeLessThan(IN_PROPORTION);
  });

  test("and what is optional stays optional", () => {
    const { tasks } = convertDocument({ name: "x.md", text: `${FEATURES}## Milestones\n\n- M1: FR-6, FR-2\n` });
    expect(tasks.map(({ id, priority }) => [id, priority]).slice(0, 2)).toEqual([
      ["FR-2", "high"],
      ["FR-6", "optional"],
    ]);
  });

  test("as before where milestones name no task", () => {
    expect(plan("## Milestones\n\n- M1: private beta\n- M2: public beta\n")).toBe(plan(""));
  });
});
