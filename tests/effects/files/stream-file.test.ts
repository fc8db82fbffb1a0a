import { afterAll, expect, test } from "bun:test";
import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { RalphError } from "../../../src/core/errors.ts";
import { streamFile } from "../../../src/effects/files/stream-file.ts";

const dir = mkdtempSync(join(tmpdir(), "ralph-stream-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test("many pieces become one file, characters of several bytes whole", () => {
  const path = join(dir, "a.html");
  const pieces = Array.from({ length: 50_000 }, (_, n) => `Ärger ${n} 🦉\n`);
  streamFile(path, pieces);
  expect(readFileSync(path, "utf8")).toBe(pieces.join(""));
});

test("a file stays as it was when its successor fails half-way, and nothing else is left", () => {
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

test.skipIf(process.platform === "win32")("a pipe is written to, and stays one", async () => {
  const path = join(dir, "pipe");
  Bun.spawnSync(["mkfifo", path]);
  const reader = Bun.spawn(["cat", path], { stdout: "pipe" });
  streamFile(path, ["one, ", "two"]);
  expect(await new Response(reader.stdout).text()).toBe("one, two");
  expect(lstatSync(path).isFIFO()).toBe(true);
});

test("a folder is not written to, and stays", () => {
  expect(() => streamFile(dir, ["x"])).toThrow("cannot be written");
  expect(existsSync(dir)).toBe(true);
});

test("a folder that is not there is an error with what to do", () => {
  expect(() => streamFile(join(dir, "no", "c.html"), ["x"])).toThrow("cannot be written");
});
