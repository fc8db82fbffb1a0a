/** The promises of the compiler flags, on a small program. */
import { beforeAll, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CompileOptions, compile } from "../../../scripts/lib/build/compile.ts";
import { programName } from "../../../scripts/lib/paths.ts";
import { run } from "../../../scripts/lib/run-program.ts";
import { testFolder } from "../../folders.ts";

const program = `
import { name, times } from "./name.ts";
const later = await import("./later.ts");
const soon = await import("./soon.ts");
const { default: base, add } = await import("large-one");
const sum = add(base, 2);
console.log(JSON.stringify({ name, later: later.word, soon: soon.word, sum, times, leak: process.env.LEAK ?? null }));
`;
const part = (word: string) => `import { seen } from "./name.ts"; seen(); export const word = "${word}";`;

const digest = (file: string) => new Bun.CryptoHasher("sha256").update(readFileSync(file)).digest("hex");

const folder = testFolder("compile");
let outfile = "";

/** Cannot be minified away, and compresses to almost nothing. */
const MARK = "a text that is said again and again. ";
const largeText = `globalThis.text = "${MARK.repeat(1_000)}"; `;

function options(outfile: string): CompileOptions {
  return { entry: join(folder, "main.ts"), outfile, startUp: ["soon.ts"], packed: ["large-one"] };
}

beforeAll(async () => {
  outfile = join(folder, "one", programName(process.platform));
  writeFileSync(join(folder, "main.ts"), program);
  const shared = "export let times = 0; export const seen = () => { times += 1; };";
  writeFileSync(join(folder, "name.ts"), `export const name = "ralph"; ${shared}`);
  writeFileSync(join(folder, "later.ts"), part("later"));
  writeFileSync(join(folder, "soon.ts"), part("soon"));
  const large = join(folder, "node_modules", "large-one");
  mkdirSync(large, { recursive: true });
  writeFileSync(join(large, "package.json"), '{ "name": "large-one", "type": "module", "main": "index.js" }');
  writeFileSync(join(large, "index.js"), `${largeText}export const add = (a, b) => a + b; export default 40;`);
  expect(await compile(options(outfile))).toBeNull();
});

test("a program with compiled, plain and packed parts runs from any folder", async () => {
  const { exitCode, output } = await run([outfile], { cwd: tmpdir() });
  expect({ exitCode, output: JSON.parse(output) }).toEqual({
    exitCode: 0,
    output: { name: "ralph", later: "later", soon: "soon", sum: 42, times: 2, leak: null },
  });
});

test("a program contains a packed module only in its compressed form", () => {
  expect(readFileSync(outfile).includes(MARK)).toBe(false);
});

test("compiling leaves nothing else beside the program", () => {
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
  expect(await compile(options(again))).toBeNull();
  expect(digest(again)).toBe(digest(outfile));
});

test("a source that cannot be compiled is reported and leaves the old program", async () => {
  const before = digest(outfile);
  writeFileSync(join(folder, "broken.ts"), 'import "./nowhere.ts";');
  expect(await compile({ entry: join(folder, "broken.ts"), outfile })).toContain("nowhere.ts");
  expect(digest(outfile)).toBe(before);
});

test("a module to compile ahead that is not a part of its own is reported", async () => {
  const named = { ...options(join(folder, "three", "ralph")), startUp: ["name.ts"] };
  expect(await compile(named)).toContain("name.ts is no part of its own");
});
