import { describe, expect, test } from "bun:test";
import { changedLines, changeOf, createDiffCount } from "../../src/core/diff-count.ts";

describe("the lines of an edit that differ", () => {
  test.each([
    ["a line in the middle", "a\nb\nc", "a\nB\nc", ["b"], ["B"]],
    ["lines added at the end", "a\n", "a\nb\nc\n", [], ["b", "c"]],
    ["lines taken away at the beginning", "a\nb", "b", ["a"], []],
    ["a line doubled", "a", "a\na", [], ["a"]],
    ["nothing", "a\nb", "a\nb", [], []],
    ["everything", "a", "b", ["a"], ["b"]],
  ])("%s", (_, old_string, new_string, before, after) => {
    expect(changedLines({ old_string, new_string })).toEqual({ before, after });
  });
});

test("a written file counts its lines as added, and reading changes nothing", () => {
  expect(changeOf({ tool: "Write", input: { file_path: "a", content: "1\n2\n" } })).toMatchObject({ added: 2 });
  expect(changeOf({ tool: "Read", input: { file_path: "a" } })).toBeNull();
});

test("files are told by their path below the project, the most changed first", () => {
  const count = createDiffCount();
  count.add({ tool: "Write", input: { file_path: "/p/src/a.ts", content: "1\n" } }, "/p");
  count.add({ tool: "Write", input: { file_path: "/p/src/b.ts", content: "1\n2\n3\n" } }, "/p");
  expect(count.files(["src/a.ts", "c.bin"])).toEqual([
    { path: "src/b.ts", added: 3, removed: 0 },
    { path: "src/a.ts", added: 1, removed: 0 },
    { path: "c.bin", added: 0, removed: 0 },
  ]);
});
