/** The compiled program as a file, and what it reads from the folder it is started in. */
import { expect, test } from "bun:test";
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compile } from "../../../scripts/lib/build/compile.ts";
import { functionsOf, ORDER_OUT, orderFile } from "../../../scripts/lib/build/start-up-order.ts";
import { binary, programName, root } from "../../../scripts/lib/paths.ts";
import { run } from "../../../scripts/lib/run-program.ts";
import { cleanEnvironment } from "../../../scripts/lib/tests/environment.ts";
import { testFolder } from "../../folders.ts";

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const folder = testFolder("binary");

test("ralph --version is the version of package.json", async () => {
  const { exitCode, output } = await run([binary, "--version"], { cwd: folder });
  expect({ exitCode, output }).toEqual({ exitCode: 0, output: expect.stringContaining(version) });
});

test("ralph --help, -h and help print the same; a link named ralph-COMMAND has that command's help", async () => {
  const overview = await run([binary, "help"], { cwd: folder });
  expect(overview.output).toContain("Begin\n");
  for (const flag of ["--help", "-h"]) expect(await run([binary, flag], { cwd: folder })).toEqual(overview);
  const link = join(folder, programName(process.platform).replace("ralph", "ralph-import"));
  copyFileSync(binary, link);
  const { output } = await run([link, "--help"], { cwd: folder });
  expect(output).toStartWith("ralph import: ");
});

test("ralph reads neither .env nor bunfig.toml of the folder it is started in", async () => {
  writeFileSync(join(folder, ".env"), "MAX_CALLS_PER_HOUR=7\n");
  writeFileSync(join(folder, "bunfig.toml"), 'preload = ["./preload.ts"]\n');
  writeFileSync(join(folder, "preload.ts"), 'require("node:fs").writeFileSync("preloaded", "");');
  const { output } = await run([binary, "config", "--json"], { cwd: folder });
  expect(JSON.parse(output).settings.MAX_CALLS_PER_HOUR).toMatchObject({ value: 100, source: "default" });
  expect(existsSync(join(folder, "preloaded"))).toBe(false);
});

test("ralph adds at most 7.5 MB to a program that only prints a word", async () => {
  const bare = join(folder, "bare");
  writeFileSync(join(folder, "bare.ts"), 'console.log("bare");\n');
  expect(await compile({ entry: join(folder, "bare.ts"), outfile: bare })).toBeNull();
  expect(statSync(binary).size - statSync(bare).size).toBeLessThan(7_500_000);
});

test("nine of ten functions that a start runs are known to the order of the bytecode", async () => {
  const written = join(folder, "order");
  const env = { ...cleanEnvironment(join(folder, "home")), [ORDER_OUT]: written };
  await run([binary, "status"], { cwd: folder, env });
  const known = new Set(functionsOf(readFileSync(orderFile, "utf8")));
  const ran = functionsOf(readFileSync(written, "utf8"));
  const unknown = ran.filter((line) => !known.has(line));
  // If this fails: `npm run profile`.
  expect(unknown.length / ran.length).toBeLessThan(0.1);
});
