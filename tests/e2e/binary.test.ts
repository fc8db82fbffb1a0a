/** The compiled program as a file: what it takes from the folder that it is started in. */
import { afterAll, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { binary, root } from "../../scripts/lib/paths.ts";
import { run } from "../../scripts/lib/run.ts";

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const folder = mkdtempSync(join(tmpdir(), "ralph-binary-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("ralph --version is the version of package.json", async () => {
  const { exitCode, output } = await run([binary, "--version"], { cwd: folder });
  expect({ exitCode, output }).toEqual({ exitCode: 0, output: expect.stringContaining(version) });
});

test("neither .env nor bunfig.toml of the folder it is started in is read", async () => {
  writeFileSync(join(folder, ".env"), "MAX_CALLS_PER_HOUR=7\n");
  writeFileSync(join(folder, "bunfig.toml"), 'preload = ["./preload.ts"]\n');
  writeFileSync(join(folder, "preload.ts"), 'require("node:fs").writeFileSync("preloaded", "");');
  const { output } = await run([binary, "config", "--json"], { cwd: folder });
  expect(JSON.parse(output).settings.MAX_CALLS_PER_HOUR).toMatchObject({ value: 100, source: "default" });
  expect(existsSync(join(folder, "preloaded"))).toBe(false);
});
