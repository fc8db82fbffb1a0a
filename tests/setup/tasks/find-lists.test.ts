import { expect, test } from "bun:test";
import { findTaskLists } from "../../../src/setup/tasks/find-lists.ts";
import { fakeFiles } from "../fake-files.ts";

test("lists are found where their tools keep them, and what OpenSpec finished is none", () => {
  const files = fakeFiles({
    "openspec/changes/add-b/tasks.md": "",
    "openspec/changes/add-a/tasks.md": "",
    "openspec/changes/add-a/proposal.md": "",
    "openspec/changes/archive/tasks.md": "",
    "specs/001-x/tasks.md": "",
    "specs/002-y/spec.md": "",
    "specs/tasks.md": "",
    ".beads/issues.jsonl": "",
    ".taskmaster/tasks/tasks.json": "",
    "src/prd.json": "",
  });
  expect(findTaskLists(files)).toEqual([
    "specs/001-x/tasks.md",
    "openspec/changes/add-a/tasks.md",
    "openspec/changes/add-b/tasks.md",
    ".taskmaster/tasks/tasks.json",
    ".beads/issues.jsonl",
  ]);
  expect(findTaskLists(fakeFiles({}))).toEqual([]);
});
