import { describe, expect, test } from "bun:test";
import { actionCounts, actionLines } from "../../../src/cli/setup/actions-text.ts";
import type { FileAction } from "../../../src/setup/scaffold.ts";
import { style } from "../../../src/view/text/style.ts";

const make = (path: string): FileAction => ({ kind: "create", path, content: "", backup: false, why: "new" });
const NEW = [".ralph/PROMPT.md", ".ralph/.setup.json", ".ralph/examples/.gitkeep", "src/.gitkeep"].map(make);
const KEPT: FileAction = { kind: "keep", path: "README.md", why: "yours" };
const lines = (actions: readonly FileAction[], width = 72, begins = false) =>
  actionLines(actions, { style: style(false), width, begins });

describe("the list of file changes", () => {
  test("shows every file, small ones on one line, and the repository", () => {
    expect(lines([KEPT, ...NEW], 72, true)).toEqual([
      "+ .ralph/PROMPT.md  new",
      "+ .ralph/.setup.json, .ralph/examples/.gitkeep, src/.gitkeep",
      "+ .git              new, all of this its first commit",
      "= README.md         yours",
    ]);
  });

  test.each([40, 52, 72, 100])("names every file on %i columns", (width) => {
    const shown = lines(NEW, width);
    for (const { path } of NEW) expect(shown.join("\n")).toContain(path);
    for (const line of shown) expect(line.length).toBeLessThanOrEqual(width);
  });

  test("drops a reason that would be cut to a word", () => {
    const long = ".ralph/specs/requirements.md";
    expect(lines([make(long)], 40).map((line) => line.trimEnd())).toEqual([`+ ${long}`]);
    expect(lines([make(long)], 60)).toEqual([`+ ${long}  new`]);
    expect(lines([{ kind: "move", path: "a.md", to: ".ralph/a.md", why: "" }], 40)).toEqual(["> a.md  to .ralph/a.md"]);
  });

  test("is counted by kind of change", () => {
    const moved: FileAction = { kind: "move", path: "a", to: "b", why: "" };
    expect(actionCounts([...NEW, KEPT, moved])).toBe("4 new files, 1 moved, 1 kept");
  });

  test("shows no line end or escape from a file name", () => {
    const shown = lines([{ kind: "move", path: "a\u001b[2J\nb", to: "c\n\u202ed", why: "" }]);
    expect(shown).toEqual(["> a b  to c d"]);
  });
});
