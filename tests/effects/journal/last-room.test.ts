import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { holdRoom } from "../../../src/effects/journal/last-room.ts";
import { testFolders } from "../../folders.ts";

const newFolder = testFolders("room");

test("room is held on the disk until it is given back", () => {
  const dir = newFolder();
  const free = holdRoom(dir);
  const { size, blocks } = statSync(join(dir, "room"));
  expect(size).toBe(96 * 1024);
  // A file with a hole holds nothing.
  if (process.platform === "linux") expect(blocks * 512).toBeGreaterThanOrEqual(size);
  free();
  free();
  expect(existsSync(join(dir, "room"))).toBe(false);
});

test("it is held on a file system that compresses, too", () => {
  const dir = newFolder();
  const free = holdRoom(dir);
  expect(deflateRawSync(readFileSync(join(dir, "room"))).length).toBeGreaterThanOrEqual(96 * 1024);
  free();
});

test("what a kill left of it is used again", () => {
  const dir = newFolder();
  holdRoom(dir);
  holdRoom(dir)();
  expect(existsSync(join(dir, "room"))).toBe(false);
});

test("a link in its place is replaced, not followed", () => {
  const dir = newFolder();
  writeFileSync(join(dir, "mine"), "mine");
  symlinkSync(join(dir, "mine"), join(dir, "room"));
  const free = holdRoom(dir);
  expect(statSync(join(dir, "mine")).size).toBe(4);
  free();
  expect(existsSync(join(dir, "mine"))).toBe(true);
});

test("a run works without, where nothing can be held", () => {
  const dir = newFolder();
  mkdirSync(join(dir, "room", "in the way"), { recursive: true });
  holdRoom(dir)();
  expect(existsSync(join(dir, "room", "in the way"))).toBe(true);
});
