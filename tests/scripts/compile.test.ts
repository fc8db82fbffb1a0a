/** What the compiler flags promise, on a small program of its own. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile } from "../../scripts/lib/compile.ts";
import { programName } from "../../scripts/lib/paths.ts";
import { run } from "../../scripts/lib/run.ts";

const program = `
import { name } from "./name.ts";
const later = await import("./later.ts");
console.log(JSON.stringify({ name, later: later.word, leak: process.env.LEAK ?? null }));
`;

const digest = (file: string) => new Bun.CryptoHasher("sha256").update(readFileSync(file)).digest("hex");

let folder = "";
let outfile = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ralph-compile-"));
  outfile = join(folder, "one", programName(process.platform));
  writeFileSync(join(folder, "main.ts"), program);
  writeFileSync(join(folder, "name.ts"), 'export const name = "ralph";');
  writeFileSync(join(folder, "later.ts"), 'export const word = "later";');
  expect(await compile({ entry: join(folder, "main.ts"), outfile })).toBeNull();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the program runs, with top-level await and a part that is loaded later", async () => {
  const { exitCode, output } = await run([outfile]);
  expect({ exitCode, output }).toEqual({ exitCode: 0, output: '{"name":"ralph","later":"later","leak":null}\n' });
});

test("nothing else is left beside the program", () => {
  expect(readdirSync(join(folder, "one"))).toEqual([programName(process.platform)]);
});

test("a program reads neither .env nor bunfig.toml of the folder it is started in", async () => {
  const place = join(folder, "place");
  mkdirSync(place);
  writeFileSync(join(place, ".env"), "LEAK=yes\n");
  writeFileSync(join(place, "bunfig.toml"), 'preload = ["./preload.ts"]\n');
  writeFileSync(join(place, "preload.ts"), 'require("node:fs").writeFileSync("preloaded", "");');
  const { output } = await run([outfile], { cwd: place });
  expect(JSON.parse(output)).toMatchObject({ leak: null });
  expect(existsSync(join(place, "preloaded"))).toBe(false);
});

test("equal sources give equal bytes", async () => {
  const again = join(folder, "two", programName(process.platform));
  expect(await compile({ entry: join(folder, "main.ts"), outfile: again })).toBeNull();
  expect(digest(again)).toBe(digest(outfile));
});

test("a source that cannot be compiled is reported and leaves the old program", async () => {
  const before = digest(outfile);
  writeFileSync(join(folder, "broken.ts"), 'import "./nowhere.ts";');
  expect(await compile({ entry: join(folder, "broken.ts"), outfile })).toContain("nowhere.ts");
  expect(digest(outfile)).toBe(before);
});
