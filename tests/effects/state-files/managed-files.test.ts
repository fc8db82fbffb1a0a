import { beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createManagedFiles, type ManagedFiles } from "../../../src/effects/state-files/managed-files.ts";
import { createOnceReporter } from "../../../src/effects/state-files/report-once.ts";
import { testFolders } from "../../folders.ts";

let dir: string;
let failureTexts: string[];
let set: ManagedFiles;
let tell: () => void;
const newFolder = testFolders("set");
beforeEach(() => {
  dir = newFolder();
  failureTexts = [];
  const failures = createOnceReporter((text) => failureTexts.push(text));
  tell = failures.report;
  set = createManagedFiles(dir, ".ralph", failures);
});

const path = (name: string) => join(dir, name);
const read = (name: string) => (existsSync(path(name)) ? readFileSync(path(name), "utf8") : null);

test("a file is written once for the same content, and removed by null", () => {
  set.write("a", "1");
  writeFileSync(path("a"), "edited");
  set.write("a", "1");
  expect(read("a")).toBe("edited");
  set.write("a", "2");
  expect(read("a")).toBe("2");
  set.write("a", null);
  expect(read("a")).toBeNull();
});

test("files that others edited, deleted or created are restored and named", () => {
  for (const name of ["a", "b", "c"]) set.write(name, name);
  set.write("gone", null);
  writeFileSync(path("a"), "edited");
  rmSync(path("b"));
  writeFileSync(path("gone"), "made");
  expect(set.repair()).toEqual(["a", "b", "gone"]);
  expect(["a", "b", "c", "gone"].map(read)).toEqual(["a", "b", "c", null]);
  expect(set.repair()).toEqual([]);
});

test("an edit of the same length is found by its time, and one that only changes the time is none", () => {
  set.write("a", "1");
  set.write("b", "1");
  writeFileSync(path("a"), "2");
  for (const name of ["a", "b"]) utimesSync(path(name), 1, 1);
  expect(set.repair()).toEqual(["a"]);
  expect(read("a")).toBe("1");
});

test("an edit found before an overwrite is named as well", () => {
  set.write("a", "1");
  writeFileSync(path("a"), "edited");
  set.checkEdits();
  set.write("a", "2");
  expect([set.repair(), read("a")]).toEqual([["a"], "2"]);
  expect(set.repair()).toEqual([]);
});

test("after invalidate the same content is written again", () => {
  set.write("a", "1");
  rmSync(path("a"));
  set.invalidate();
  expect(set.repair()).toEqual([]);
  set.write("a", "1");
  expect(read("a")).toBe("1");
});

test("only the first failed write is reported, and the rest is written", () => {
  mkdirSync(join(dir, "a", "x"), { recursive: true });
  mkdirSync(join(dir, "b", "x"), { recursive: true });
  expect(["a", "b", "c"].map((name) => set.write(name, name))).toEqual([false, false, true]);
  expect(failureTexts).toEqual([]);
  tell();
  tell();
  expect(failureTexts).toHaveLength(1);
  expect(failureTexts[0]).toStartWith(".ralph/a cannot be written (");
  rmSync(path("a"), { recursive: true });
  expect(set.write("a", "a")).toBe(true);
});
