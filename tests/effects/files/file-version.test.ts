import { beforeEach, expect, test } from "bun:test";
import { renameSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { settledVersionOf, versionOf } from "../../../src/effects/files/file-version.ts";
import { testFolders } from "../../folders.ts";

let folder = "";
const newFolder = testFolders("version");
beforeEach(() => {
  folder = newFolder();
});

const file = () => join(folder, "file");

test("a file that nobody wrote keeps its version, and nothing has none", () => {
  expect(versionOf(file())).toBeNull();
  writeFileSync(file(), "one");
  expect(versionOf(file())).toBe(versionOf(file()));
  expect(versionOf(file())).not.toBeNull();
});

test("another text of the same length with the same time of writing is another version", () => {
  writeFileSync(file(), "one");
  const { atime, mtime } = statSync(file());
  const old = versionOf(file());
  const other = join(folder, "other");
  writeFileSync(other, "two");
  utimesSync(other, atime, mtime);
  renameSync(other, file());
  expect(versionOf(file())).not.toBe(old);
});

test("the version of a link is that of the file it leads to", () => {
  writeFileSync(file(), "one");
  const link = join(folder, "link");
  symlinkSync(file(), link);
  const old = versionOf(link);
  expect(old).toBe(versionOf(file()));
  writeFileSync(file(), "longer");
  expect(versionOf(link)).not.toBe(old);
});

test("a file written just now has no settled version: the next write may leave the same times", () => {
  writeFileSync(file(), "one");
  const { ctimeMs } = statSync(file());
  expect(settledVersionOf(file(), ctimeMs + 1_999)).toBeNull();
  expect(settledVersionOf(file(), ctimeMs + 2_001)).toBe(versionOf(file()));
  expect(settledVersionOf(join(folder, "none"), ctimeMs + 10_000)).toBeNull();
});
