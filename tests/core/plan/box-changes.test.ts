import { describe, expect, test } from "bun:test";
import { boxChanges, stillTakenOff } from "../../../src/core/plan/box-changes.ts";
import { parsePlan, tickedTasks } from "../../../src/core/plan/fix-plan.ts";

const plan = (...lines: string[]) => parsePlan(lines.join("\n"), ["Optional"]);
const changes = (before: string[], after: string[]) => boxChanges(plan(...before), plan(...after));
const none = { ticks: 0, reworded: [], takenOff: [] };

describe("boxes that leave a plan", () => {
  test.each([
    ["ticked", ["- [ ] a"], ["- [x] a"], []],
    ["ticked and moved", ["- [ ] a", "- [ ] b"], ["## Done", "* [X] b", "1. [x] a"], []],
    ["gone", ["- [ ] a", "- [ ] b"], ["- [x] b"], ["a"]],
    ["of two with the same words one ticked", ["- [ ] a", "- [x] a"], ["- [x] a", "- [x] a"], []],
    ["of two with the same words one gone", ["- [ ] a", "- [ ] a"], ["- [x] a"], ["a"]],
    ["of two with the same words the open one gone", ["- [ ] a", "- [x] a"], ["- [x] a"], ["a"]],
    ["optional now", ["- [ ] a"], ["## Optional", "- [ ] a"], ["a"]],
    ["optional and gone", ["## Optional", "- [ ] a"], ["## Optional"], []],
    ["required now", ["## Optional", "- [ ] a"], ["- [ ] a"], []],
    ["ticked before and gone", ["- [x] a", "- [ ] b"], ["- [ ] b"], []],
    ["in another mark", ["- [ ] a"], ["- [-] a"], ["a"]],
    ["gone beside a note on other work", ["- [ ] write the docs"], ["- [x] fix the build"], ["write the docs"]],
  ])("%s", (_, before, after, takenOff) => {
    expect(changes(before, after)).toMatchObject({ reworded: [], takenOff });
  });

  test("are none where one of the plans is unknown", () => {
    expect([boxChanges(null, plan("- [ ] a")), boxChanges(plan("- [ ] a"), null)]).toEqual([none, none]);
  });

  test("are back with a box that is ticked or required, in more words too", () => {
    const back = plan("- [x] Write the docs (see a1b2c3d)", "## Optional", "- [ ] b");
    expect(stillTakenOff(["write the docs", "b", "c"], back)).toEqual(["b", "c"]);
    expect(stillTakenOff(["c"], null)).toEqual(["c"]);
  });
});

test.each([
  ["of an open box", ["- [ ] a", "- [ ] b"], ["- [x] a", "- [ ] b"], 1],
  ["of one of two with the same words", ["- [ ] a", "- [ ] a"], ["- [x] a", "- [ ] a"], 1],
  ["that came with other words", ["- [ ] add a parser"], ["- [x] add a parser (a1b2c3d)"], 1],
  ["of an optional one", ["## Optional", "- [ ] a"], ["## Optional", "- [x] a"], 1],
  ["that came with its box", ["- [ ] a"], ["- [ ] a", "- [x] looked at it"], 0],
  ["that was there", ["- [x] a"], ["- [x] a"], 0],
])("a tick %s counts as it should", (_, before, after, ticks) => {
  expect(changes(before, after).ticks).toBe(ticks);
});

describe("boxes with other words", () => {
  test.each([
    [
      "by what they share",
      ["- [ ] a big thing"],
      ["- [ ] a big thing (blocked)"],
      [["a big thing", "a big thing (blocked)"]],
    ],
    [
      "by the most that they share",
      ["- [ ] tests of the cart"],
      ["- [ ] tests of the till", "- [ ] done: tests of the cart"],
      [["tests of the cart", "done: tests of the cart"]],
    ],
    [
      "by their order",
      ["- [ ] a", "- [ ] b"],
      ["- [ ] c", "- [ ] d"],
      [
        ["a", "c"],
        ["b", "d"],
      ],
    ],
    [
      "with a tick",
      ["- [ ] add a parser"],
      ["- [x] add a parser, in src/parse.ts"],
      [["add a parser", "add a parser, in src/parse.ts"]],
    ],
  ])("are found %s", (_, before, after, pairs) => {
    const reworded = pairs.map(([from = "", to = ""]) => ({ from, to }));
    expect(changes(before, after)).toMatchObject({ reworded, takenOff: [] });
  });

  test("are not ticked where they are open, or taken off", () => {
    const before = plan("- [ ] one", "- [ ] two", "- [ ] three");
    expect(tickedTasks(before, plan("- [ ] one (waits)", "- [x] two"))).toEqual(["two"]);
  });

  test("are found in plans of any size", () => {
    const many = (word: string) => plan(...Array.from({ length: 20_000 }, (_, n) => `- [ ] ${word} ${n} of all`));
    expect(boxChanges(many("old"), many("new")).reworded.length).toBe(20_000);
  });
});
