import { expect, test } from "bun:test";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { projectPaths } from "../../../src/effects/project/project-paths.ts";
import { readWorkTexts } from "../../../src/effects/project/work-texts.ts";
import { testFolder } from "../../folders.ts";

const dir = testFolder("work");

test("a spec that is too large to read hides no other", () => {
  const specs = join(dir, ".ralph/specs");
  mkdirSync(join(specs, "more"), { recursive: true });
  writeFileSync(join(specs, "large.md"), "");
  truncateSync(join(specs, "large.md"), 600 * 2 ** 20);
  writeFileSync(join(specs, "more/small.md"), "Small.");
  expect(readWorkTexts(projectPaths(dir, null, null)).specs.sort()).toEqual([join(specs, "large.md"), "Small."]);
});
