/** A price file that cannot be read stops what costs money, and nothing else. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cleanUp, project } from "../support/harness.ts";

afterAll(cleanUp);

test("a broken price file stops a run before its first call, but no reset", async () => {
  const at = project();
  const config = join(at.dir, "..", "config");
  const file = join(config, "ralph", "prices.json");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "{");
  at.env.XDG_CONFIG_HOME = config;
  at.env.APPDATA = config;
  const run = await at.ralph("run");
  expect(run.exit).not.toBe(0);
  expect(run.stderr).toContain("prices.json cannot be read");
  expect(at.calls()).toEqual([]);
  const doctor = await at.ralph("doctor");
  expect(doctor).toMatchObject({ exit: 1, stdout: expect.stringMatching(/^✗ prices +The prices in /m) });
  for (const words of [
    ["circuit", "reset"],
    ["session", "reset"],
  ])
    expect(await at.ralph(...words)).toMatchObject({ exit: 0, stderr: expect.not.stringContaining("prices.json") });
});
