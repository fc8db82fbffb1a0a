import { expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bringAgain } from "../../../src/effects/fleet/own-files.ts";
import { createGit } from "../../../src/effects/git/git-program.ts";
import { testFolder } from "../../folders.ts";

const folder = testFolder("own-files");

test("what a record says came along, and is gone, goes below .ralph alone", async () => {
  const [project, there] = [join(folder, "project"), join(folder, "there")];
  for (const one of [project, there]) mkdirSync(join(one, ".ralph"), { recursive: true });
  Bun.spawnSync(["git", "init", "--quiet", there]);
  for (const path of ["mine", "there/mine", "there/.ralph/old.md"]) writeFileSync(join(folder, path), "x");
  const brought = [".ralph/../mine", ".ralph/../../mine", ".ralph/old.md"];
  await bringAgain(createGit(there, process.env), { project, brought, own: [] });
  expect(["mine", "there/mine", "there/.ralph/old.md"].map((path) => existsSync(join(folder, path)))).toEqual([
    true,
    true,
    false,
  ]);
});
