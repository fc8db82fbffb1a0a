import { expect, test } from "bun:test";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { RalphError } from "../../../src/core/errors.ts";
import { streamFile } from "../../../src/effects/files/stream-file.ts";
import { testFolder } from "../../folders.ts";

const dir = testFolder("stream");

test("many pieces become one file with multi-byte characters intact", () => {
  const path = join(dir, "a.html");
  const pieces = Array.from({ length: 50_000 }, (_, n) => `Ärger ${n} 🦉\n`);
  streamFile(path, pieces);
  expect(readFileSync(path, "utf8")).toBe(pieces.join(""));
});

test("a file stays unchanged when writing its replacement fails half-way, and nothing else is left", () => {
  const path = join(dir, "b.html");
  writeFileSync(path, "old");
  function* broken(): Generator<string> {
    yield "x".repeat(1 << 20);
    throw new Error("the journal is gone");
  }
  expect(() => streamFile(path, broken())).toThrow(RalphError);
  expect(readFileSync(path, "utf8")).toBe("old");
  expect(readdirSync(dir).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test.skipIf(process.platform === "win32")("a pipe is written to directly and stays a pipe", async () => {
  const path = join(dir, "pipe");
  Bun.spawnSync(["mkfifo", path]);
  const reader = Bun.spawn(["cat", path], { stdout: "pipe" });
  streamFile(path, ["one, ", "two"]);
  expect(await new Response(reader.stdout).text()).toBe("one, two");
  expect(lstatSync(path).isFIFO()).toBe(true);
});

test("writing to a folder is an error and leaves the folder", () => {
  expect(() => streamFile(dir, ["x"])).toThrow("cannot be written");
  expect(existsSync(dir)).toBe(true);
});

test("writing into a missing folder is an error", () => {
  expect(() => streamFile(join(dir, "no", "c.html"), ["x"])).toThrow("cannot be written");
});

test("where the temporary file can be neither written nor removed, the file is named and not the temporary one", () => {
  const path = join(dir, "d.html");
  mkdirSync(`${path}.${process.pid}.tmp`);
  expect(() => streamFile(path, ["x"])).toThrow(`${path} cannot be written: `);
});
