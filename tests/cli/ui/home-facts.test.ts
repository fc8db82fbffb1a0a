import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHomeFacts } from "../../../src/cli/ui/home-facts.ts";
import { createProjectWatch } from "../../../src/cli/ui/projects.ts";
import { testFolder } from "../../folders.ts";

const dir = testFolder("home-facts");

test("what a card tells is read anew after the clock was set back by an hour", () => {
  const head = (branch: string) => writeFileSync(join(dir, ".git/HEAD"), `ref: refs/heads/${branch}\n`);
  for (const folder of [".ralph", ".git/objects", ".git/refs"]) mkdirSync(join(dir, folder), { recursive: true });
  head("first");
  const now = Date.parse("2026-03-04T12:00:00.000Z");
  const facts = createHomeFacts(dir);
  const project = createProjectWatch(dir)(now);
  expect(facts(project, now).branch).toBe("first");
  head("second");
  expect(facts(project, now + 1000).branch).toBe("first");
  expect(facts(project, now - 3_600_000).branch).toBe("second");
});
