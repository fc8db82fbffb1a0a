import { expect, test } from "bun:test";
import { diskFull } from "../../../src/effects/files/disk-full.ts";

const none = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
const left = { bavail: 10, bsize: 4096, files: 400, ffree: 7 };
const ample = 100_000;

test.each([
  ["no space", left, "40 kB are free", "Free some space there (look with: df -h '/p')"],
  [
    "no room for one more file",
    { ...left, bavail: ample, ffree: 0 },
    "it can hold no more than its 400 files",
    "Delete some files there (look with: df -i '/p')",
  ],
  [
    "a quota that is used up",
    { ...left, bavail: ample },
    "there is room, but a quota is used up",
    "Free some space there (look with: df -h '/p')",
  ],
  [
    "a file system that counts no files",
    { ...left, files: 0, ffree: 0 },
    "40 kB are free",
    "Free some space there (look with: df -h '/p')",
  ],
])("a write that met %s is told with what helps", (_, stat, words, remedy) => {
  const error = diskFull("/p/file", none, () => stat);
  expect(error?.message).toBe(`The disk is full: /p/file cannot be written (${words}).`);
  expect(error?.hint).toBe(`${remedy} and run ralph again; it goes on where it was.`);
});

test("a write that failed for another reason is no full disk", () => {
  expect(diskFull("/p/file", Object.assign(new Error("no"), { code: "EACCES" }), () => left)).toBeNull();
});
