import { describe, expect, test } from "bun:test";
import { complaints } from "../../../src/cli/import/import-report.ts";

const said = {
  asked: null,
  gaps: { missing: [], lacks: [] },
  unplanned: [],
  left: [],
  changedDone: [],
  kept: [],
  edited: [],
};

describe("what an import tells beside its tasks", () => {
  test.each([
    [[], []],
    [["R-1"], ["R-1 has no task of its own, and stands in the specs."]],
    [["R-1", "M-2"], ["R-1 and M-2 have no task of their own, and stand in the specs."]],
  ])("the ids without a task: %j", (unplanned, lines) => expect(complaints({ ...said, unplanned })).toEqual(lines));
  test("many of them are counted", () => {
    const unplanned = Array.from({ length: 30 }, (_, n) => `R-${n}`);
    expect(complaints({ ...said, unplanned })[0]).toContain("R-11 and 18 more have no task of their own");
  });
  test("a box that was edited, and whose document changed", () => {
    expect(complaints({ ...said, kept: ["FR-1: Log in"] })).toEqual([
      "The document says something else now of FR-1: Log in. The plan keeps what was written there.",
    ]);
  });
});
