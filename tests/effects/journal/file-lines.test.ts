import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fileLines, streamLines } from "../../../src/effects/journal/file-lines.ts";
import { testFolder } from "../../folders.ts";

const root = testFolder("lines");

function linesOf(content: string): string[] {
  const path = join(root, "file");
  writeFileSync(path, content);
  return [...fileLines(path, "The recording", "Look.")].flat();
}

test("fileLines gives the lines of a file, wherever its chunks end", () => {
  // Three bytes per character, so a chunk ends inside one; long lines span several chunks.
  const lines = ["first", "€".repeat(700_000), "", "x".repeat(300_000), ...Array(5000).fill("€ und so weiter")];
  expect(linesOf(lines.join("\n"))).toEqual(lines);
  expect(linesOf(`${lines.join("\r\n")}\r\n`)).toEqual(lines);
});

test("streamLines gives the same lines, wherever its chunks end", async () => {
  const bytes = Buffer.from("first\n€uro\r\n\nlast");
  for (let at = 0; at <= bytes.length; at += 1) {
    const stream = Readable.from([bytes.subarray(0, at), bytes.subarray(at)]);
    expect((await Array.fromAsync(streamLines(stream))).flat()).toEqual(["first", "€uro", "", "last"]);
  }
});

test("an empty file has no lines", () => expect(linesOf("")).toEqual([]));

test("a missing file, or a folder, is an error that says so", () => {
  const read = (path: string) => () => [...fileLines(path, "The recording", "Look.")];
  const missing = join(root, "nothing");
  expect(read(missing)).toThrow(`The recording ${missing} is missing.`);
  expect(read(root)).toThrow(`The recording ${root} is a folder, not a file.`);
});
