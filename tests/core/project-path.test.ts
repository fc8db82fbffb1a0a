import { expect, test } from "bun:test";
import { foldsCase, insideProject } from "../../src/core/project-path.ts";

test.each([
  ["below it", "/w/shop/src/a.ts", "/w/shop", false, "src/a.ts"],
  ["not in a folder whose name only begins like it", "/w/shop2/a.txt", "/w/shop", false, null],
  ["not beside it", "/w/a.txt", "/w/shop", false, null],
  ["not it itself", "/w/shop", "/w/shop", false, null],
  ["below the root of the file system", "/a.txt", "/", false, "a.txt"],
  ["in another case, where case counts", "/W/Shop/a.txt", "/w/shop", false, null],
  ["in another case, where it does not", "/W/Shop/A.txt", "/w/shop", true, "A.txt"],
  ["behind a drive in another case", "c:\\Shop\\src\\a.ts", "C:\\shop", false, "src/a.ts"],
  ["with slashes of either kind", "C:/Shop/src/a.ts", "C:\\Shop\\", false, "src/a.ts"],
] as const)("insideProject decides about a path: %s", (_name, path, project, foldCase, expected) => {
  expect(insideProject(path, project, foldCase)).toBe(expected);
});

test("only Linux distinguishes case in file names", () => {
  expect((["linux", "darwin", "win32"] as const).map(foldsCase)).toEqual([false, true, true]);
});
