import { expect, test } from "bun:test";
import { runTitle, taskTitle } from "../../src/core/run-title.ts";

const shop = { settings: { PROJECT_NAME: "shop" }, project: "/home/me/app" };

test.each([
  ["the task", "Mend the tests", "Mend the tests"],
  ["the task on one line, without control characters", " Mend\n\tthe \u001b[31mtests\u0007 ", "Mend the tests"],
  ["the project without a task", null, "shop"],
  ["the project with a task of blanks", " \n", "shop"],
])("a run is called by %s", (_, task, title) => {
  expect(runTitle({ ...shop, task })).toBe(title);
});

test("a project that nobody named is called by its folder", () => {
  expect(runTitle({ task: null, settings: {}, project: "/home/me/app" })).toBe("app");
});

test("a long task is clipped, and says so", () => {
  const title = taskTitle("word ".repeat(100)) ?? "";
  expect(title.length).toBeLessThanOrEqual(120);
  expect(title).toEndWith("…");
});
