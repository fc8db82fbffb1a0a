/** Commands typed in a folder of a project that is not the project's own. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { works } from "../support/answers.ts";
import { cleanUp, project } from "../support/harness.ts";

afterAll(cleanUp);

test("a folder inside a project names that project where ralph would have a new one made", async () => {
  const at = project({ steps: [works(1)] });
  await at.ralph("run", "--max-iterations", "1");
  const inner = at.path("src/deep");
  mkdirSync(inner, { recursive: true });
  const way = `This folder lies in the project ${at.dir}: go there, or add -C ${at.dir}`;
  for (const words of [
    ["run"],
    ["logs"],
    ["say", "x"],
    ["stop"],
    ["undo"],
    ["config", "set", "MAX_TIME=1h"],
    ["plan"],
    ["prompt"],
  ]) {
    const { exit, stderr } = await at.ralph("-C", inner, ...words);
    expect([words, exit, stderr]).toEqual([words, 7, expect.stringContaining(`\n  ${way}\n`)]);
    expect(stderr).not.toContain("ralph setup");
  }
  for (const words of [["status"], []]) {
    const { stdout } = await at.ralph("-C", inner, ...words);
    expect(stdout.replace(/\s+/g, " ")).toContain(way);
  }
  const { error } = JSON.parse((await at.ralph("-C", inner, "logs", "--json")).stdout);
  expect(error.hint).toBe(way);
});

test("a project above a repository, or in the user's own folder, is none of this folder's", async () => {
  const at = project({ steps: [works(1)] });
  await at.ralph("run", "--max-iterations", "1");
  mkdirSync(at.path("vendor/.git"), { recursive: true });
  mkdirSync(at.path("vendor/lib"));
  expect((await at.ralph("-C", at.path("vendor/lib"), "logs")).stderr).toEndWith("\n  Start one with: ralph\n");
  const home = project({ git: false, env: {} });
  mkdirSync(home.path("notes"));
  const lost = await project({ env: { HOME: home.dir, USERPROFILE: home.dir } }).ralph(
    "-C",
    home.path("notes"),
    "logs",
  );
  expect(lost.stderr).toEndWith("\n  Start one with: ralph\n");
});
