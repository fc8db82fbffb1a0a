import { describe, expect, test } from "bun:test";
import { complaints } from "../../../src/cli/import/import-report.ts";

const noComplaints = {
  reply: null,
  gaps: { missing: [], lacks: [] },
  unplanned: [],
  left: [],
  changedDone: [],
  kept: [],
  edited: [],
};

describe("an import complains about", () => {
  test.each([
    [[], []],
    [["R-1"], ["R-1 has no task of its own, and stands in the specs."]],
    [["R-1", "M-2"], ["R-1 and M-2 have no task of their own, and stand in the specs."]],
  ])("ids without a task: %j", (unplanned, lines) => expect(complaints({ ...noComplaints, unplanned })).toEqual(lines));
  test("many ids without a task by naming twelve and counting the rest", () => {
    const unplanned = Array.from({ length: 30 }, (_, n) => `R-${n}`);
    expect(complaints({ ...noComplaints, unplanned })[0]).toContain("R-11 and 18 more have no task of their own");
  });
  test("an edited box whose document has changed", () => {
    expect(complaints({ ...noComplaints, kept: ["FR-1: Log in"] })).toEqual([
      "The document has changed FR-1: Log in. The plan keeps the words written there.",
    ]);
  });
});
