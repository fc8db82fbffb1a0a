import { expect, test } from "bun:test";
import { isInWorktree, projectTitle } from "../../src/core/project-name.ts";
import { growth, IN_PROPORTION } from "../growth.ts";

test.each([
  ["/home/me/shop", "shop"],
  ["/home/me/shop/.ralph/worktrees/oak", "shop/oak"],
  ["/home/me/shop/.ralph/worktrees/oak/packages/web", "shop/oak"],
  ["C:\\work\\shop\\.ralph\\worktrees\\oak", "shop/oak"],
  ["/home/me/shop/.ralph/worktrees", "worktrees"],
])("the project %s is called %s", (path, title) => {
  expect([projectTitle(path), isInWorktree(path)]).toEqual([title, title.includes("/")]);
});

test("a name of any length, as a journal may say one, is looked through once", async () => {
  expect(await growth((size) => `/${"x".repeat(size)}`, projectTitle, 40_000)).toBeLessThan(IN_PROPORTION);
});
