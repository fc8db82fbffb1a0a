import { expect, test } from "bun:test";
import { join } from "node:path";
import process from "node:process";
import { slashPath } from "../../../src/effects/files/slash-path.ts";

test("the way to a path has forward slashes on every system", () => {
  const folder = join(process.cwd(), "project");
  expect(slashPath(folder, join(folder, ".ralph", ".ralphrc"))).toBe(".ralph/.ralphrc");
  expect(slashPath(folder, join(folder, "..", "elsewhere", "plan.md"))).toBe("../elsewhere/plan.md");
  expect(slashPath(folder, folder)).toBe("");
});

test.skipIf(process.platform === "win32")("a backslash in a name stays where it separates nothing", () => {
  expect(slashPath("/project", "/project/a\\b.md")).toBe("a\\b.md");
});
