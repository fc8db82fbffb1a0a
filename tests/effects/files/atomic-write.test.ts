import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renameOver, writeFileAtomic } from "../../../src/effects/files/atomic-write.ts";
import { streamFile } from "../../../src/effects/files/stream-file.ts";
import { backUpFiles } from "../../../src/effects/protect/file-backups.ts";

const WINDOWS = process.platform === "win32";
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "ralph-whole-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Whatever replaces a file as a whole, and under which name it writes first. */
const ways: [string, (path: string) => void, string][] = [
  ["text", (path) => writeFileAtomic(path, "new"), "a.tmp"],
  ["bytes", (path) => writeFileAtomic(path, Buffer.from("new")), "a.tmp"],
  ["pieces", (path) => streamFile(path, ["n", "ew"]), `a.${process.pid}.tmp`],
];

test.each(ways)("a file is replaced by %s, and nothing else is left", (_name, replace) => {
  const path = join(dir, "a");
  for (const old of [null, "a much longer old text"]) {
    if (old !== null) writeFileSync(path, old);
    replace(path);
    expect(readFileSync(path, "utf8")).toBe("new");
  }
  expect(readdirSync(dir)).toEqual(["a"]);
});

test("bytes that are no text stay as they are", () => {
  const bytes = Buffer.from([0xff, 0x00, 0xfe, 0x0d, 0x0a]);
  writeFileAtomic(join(dir, "a"), bytes);
  expect(readFileSync(join(dir, "a"))).toEqual(bytes);
});

test.each(ways)("where no file can stand, replacing it by %s throws and leaves nothing", (_name, replace) => {
  mkdirSync(join(dir, "a", "b"), { recursive: true });
  expect(() => replace(join(dir, "a"))).toThrow();
  expect(readdirSync(dir)).toEqual(["a"]);
});

test.skipIf(WINDOWS).each(ways)(
  "a link that waits under the temporary name of %s is not followed",
  (_name, replace, temporary) => {
    writeFileSync(join(dir, "precious"), "precious");
    symlinkSync(join(dir, "precious"), join(dir, temporary));
    replace(join(dir, "a"));
    expect(readdirSync(dir).sort()).toEqual(["a", "precious"]);
    expect([readFileSync(join(dir, "a"), "utf8"), readFileSync(join(dir, "precious"), "utf8")]).toEqual([
      "new",
      "precious",
    ]);
  },
);

test("what cannot be renamed is taken away", () => {
  mkdirSync(join(dir, "a", "b"), { recursive: true });
  writeFileSync(join(dir, "new"), "new");
  expect(() => renameOver(join(dir, "new"), join(dir, "a"))).toThrow();
  expect(readdirSync(dir)).toEqual(["a"]);
});

test("what vanished is put back byte by byte, its folder too", () => {
  const folder = join(dir, ".ralph");
  const paths = ["PROMPT.md", "fix_plan.md"].map((name) => join(folder, name));
  mkdirSync(folder);
  for (const path of paths) writeFileSync(path, Buffer.from([0xff, 0x0a]));
  const keepsakes = backUpFiles(paths, join(dir, "run"));
  expect(keepsakes.restore()).toEqual([]);
  rmSync(folder, { recursive: true });
  expect(keepsakes.restore()).toEqual(paths);
  expect(readdirSync(folder).sort()).toEqual(["PROMPT.md", "fix_plan.md"]);
  expect(readFileSync(join(folder, "PROMPT.md"))).toEqual(Buffer.from([0xff, 0x0a]));
});
