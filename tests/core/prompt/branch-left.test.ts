import { expect, test } from "bun:test";
import { branchLeft } from "../../../src/core/prompt/branch-left.ts";

const COMMIT = "a".repeat(40);

test.each([
  ["a commit of no branch", { head: COMMIT, branch: null }, "main", "main"],
  ["the same, where the run began so", { head: COMMIT, branch: null }, null, null],
  ["its branch", { head: COMMIT, branch: "main" }, "main", null],
  ["another branch", { head: COMMIT, branch: "topic" }, "main", null],
  ["a branch without a commit", { head: null, branch: "main" }, "main", null],
  ["nothing that can be read", { head: null, branch: null }, "main", null],
])("HEAD on %s: the branch that was left", (_, now, home, left) => expect(branchLeft(now, home)).toBe(left));
