import { describe, expect, test } from "bun:test";
import { complaints, patchLines } from "../../../src/cli/import/import-report.ts";
import { style } from "../../../src/view/text/style.ts";
import { fakeFiles } from "../../setup/fake-files.ts";

const noComplaints = {
  reply: null,
  gaps: { missing: [], lacks: [] },
  unplanned: [],
  left: [],
  changedDone: [],
  kept: [],
  edited: [],
};

test("a dry run on a terminal shows no hashes of ralph's own record; as a patch it holds them", () => {
  const plainly = { backup: false, why: "" };
  const actions = [
    { kind: "create", path: ".ralph/.setup.json", content: "{}\n", ...plainly },
    { kind: "create", path: "a.md", content: "a\n", ...plainly },
  ] as const;
  const shown = (isTerminal: boolean) =>
    patchLines({ files: fakeFiles({}) }, actions, isTerminal ? style(false) : null).join("\n");
  expect(shown(true)).not.toContain(".setup.json");
  expect(shown(true)).toContain("+++ b/a.md");
  expect(shown(false)).toContain("+++ b/.ralph/.setup.json");
});

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
  test("names that end in a full stop, with one full stop", () => {
    const left = ["FR-16: Both rate the loan.", "FR-17: Rate."];
    expect(complaints({ ...noComplaints, left })).toEqual([
      "In the plan, and no longer in the document: FR-16: Both rate the loan and FR-17: Rate. Their boxes stay.",
    ]);
  });
  test("an edited box whose document has changed", () => {
    expect(complaints({ ...noComplaints, kept: ["FR-1: Log in"] })).toEqual([
      "The document has changed FR-1: Log in. The plan keeps the words written there.",
    ]);
  });
});
