import { describe, expect, test } from "bun:test";
import { createFileTotals, createLineChangeCounter, toolChange } from "../../../src/core/report/line-changes.ts";

describe("the changed lines of an edit", () => {
  test.each([
    ["a line in the middle", "a\nb\nc", "a\nB\nc", ["b"], ["B"]],
    ["lines added at the end", "a\n", "a\nb\nc\n", [], ["b", "c"]],
    ["lines taken away at the beginning", "a\nb", "b", ["a"], []],
    ["a line doubled", "a", "a\na", [], ["a"]],
    ["nothing", "a\nb", "a\nb", [], []],
    ["everything", "a", "b", ["a"], ["b"]],
  ])("with a difference in: %s", (_, old_string, new_string, removed, added) => {
    expect(toolChange({ tool: "Edit", input: { file_path: "a", old_string, new_string } })).toMatchObject({
      removed,
      added,
    });
  });

  test("stand between the equal lines", () => {
    const input = { file_path: "a", old_string: "a\nb\nc", new_string: "a\nB\nc" };
    expect(toolChange({ tool: "Edit", input })).toMatchObject({ above: ["a"], below: ["c"] });
  });
});

test("a written file has only added lines, and reading changes nothing", () => {
  expect(toolChange({ tool: "Write", input: { file_path: "a", content: "1\n2\n" } })).toMatchObject({
    added: ["1", "2"],
    removed: [],
  });
  expect(toolChange({ tool: "Read", input: { file_path: "a" } })).toBeNull();
});

type Call = Parameters<ReturnType<typeof createLineChangeCounter>["started"]>[0];

function write(tool_id: string, file_path: string, lines: number): Call {
  return { tool_id, tool: "Write", input: { file_path, content: "x\n".repeat(lines) } };
}

const everything = () => true;

test("changed files have their paths below the project, the most changed first", () => {
  const count = createLineChangeCounter({ project: "/p", foldCase: false });
  for (const call of [write("1", "/p/src/a.ts", 1), write("2", "./src/b.ts", 3)]) count.started(call);
  expect(count.settle(everything, ["src/a.ts", "c.bin"])).toEqual([
    { path: "src/b.ts", added: 3, removed: 0 },
    { path: "src/a.ts", added: 1, removed: 0 },
    { path: "c.bin", added: 0, removed: 0 },
  ]);
});

test("a folder whose name starts like the project's is outside the project", () => {
  const count = createLineChangeCounter({ project: "/p", foldCase: false });
  count.started(write("1", "/pother/a.ts", 1));
  expect(count.settle(everything, []).map(({ path }) => path)).toEqual(["/pother/a.ts"]);
});

test("a file system that ignores case finds the project's files in any case", () => {
  const count = createLineChangeCounter({ project: "/Users/ann/Shop", foldCase: true });
  count.started(write("1", "/users/ann/shop/a.ts", 1));
  expect(count.settle(everything, []).map(({ path }) => path)).toEqual(["a.ts"]);
});

test("a changed file's drive letter may have either case", () => {
  const count = createLineChangeCounter({ project: "C:\\p", foldCase: false });
  count.started(write("1", "c:\\p\\src\\a.ts", 1));
  expect(count.settle(everything, []).map(({ path }) => path)).toEqual(["src/a.ts"]);
});

test("a failed call changed nothing, and a call's id may be reused", () => {
  const count = createLineChangeCounter({ project: "/p", foldCase: false });
  count.started(write("t", "/p/a.ts", 1));
  count.started(write("t", "/p/a.ts", 5));
  count.failed("t");
  expect(count.settle(everything, [])).toEqual([{ path: "a.ts", added: 1, removed: 0 }]);
});

test("only lines of kept files count, and each settling starts at zero", () => {
  const count = createLineChangeCounter({ project: "/p", foldCase: false });
  count.started(write("1", "/p/a.ts", 1));
  count.started(write("2", "/p/same.ts", 9));
  expect(count.settle((path) => path === "a.ts", [])).toEqual([{ path: "a.ts", added: 1, removed: 0 }]);
  expect(count.settle(everything, [])).toEqual([]);
});

test("the changed files of a run are the sum of its iterations", () => {
  const sum = createFileTotals();
  sum.add([{ path: "a", added: 1, removed: 2 }]);
  sum.add([
    { path: "b", added: 9, removed: 0 },
    { path: "a", added: 3, removed: 4 },
  ]);
  expect(sum.files()).toEqual([
    { path: "a", added: 4, removed: 6 },
    { path: "b", added: 9, removed: 0 },
  ]);
});

test("the figures of 10,000 files are kept, and those go on", () => {
  const totals = createFileTotals();
  totals.add(Array.from({ length: 10_001 }, (_, n) => ({ path: `f${n}`, added: 1, removed: 0 })));
  totals.add([{ path: "f0", added: 1, removed: 1 }]);
  expect(totals.files()).toHaveLength(10_000);
  expect(totals.files()[0]).toEqual({ path: "f0", added: 2, removed: 1 });
});
