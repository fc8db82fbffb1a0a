import { expect, test } from "bun:test";
import { fitPath, shortener } from "../../../src/view/text/path.ts";
import { growth, IN_PROPORTION } from "../../growth.ts";

test.each([
  ["a file below it", "/w/shop/src/a.ts", "/w/shop", false, "⌂/src/a.ts"],
  ["each of several", "diff /w/shop/a /w/shop/b", "/w/shop", false, "diff ⌂/a ⌂/b"],
  ["the folder itself, at a quote", 'cd "/w/shop" && ls', "/w/shop", false, 'cd "⌂" && ls'],
  ["not a folder whose name only begins like it", "/w/shop-extra/f", "/w/shop", false, "/w/shop-extra/f"],
  ["not another case, where case counts", "/W/Shop/a.ts", "/w/shop", false, "/W/Shop/a.ts"],
  ["another case, where it does not", "/W/Shop/a.ts", "/w/shop", true, "⌂/a.ts"],
  ["backslashes, as the agent wrote them", "C:\\shop\\src\\a.ts", "C:\\shop", true, "⌂\\src\\a.ts"],
  ["slashes in place of backslashes", "c:/Shop/src/a.ts", "C:\\shop", true, "⌂/src/a.ts"],
] as const)("the project's folder is shortened: %s", (_name, text, project, foldCase, shown) => {
  expect(shortener(project, foldCase)(text)).toBe(shown);
});

test.each([
  ["src/view/text/path.test.ts", 26, "src/view/text/path.test.ts"],
  ["src/view/text/path.test.ts", 25, "src/…/text/path.test.ts"],
  ["src/view/text/path.test.ts", 18, "src/…/path.test.ts"],
  ["src/view/text/path.test.ts", 14, "…/path.test.ts"],
  ["src/view/text/path.test.ts", 8, "…/path.…"],
  ["c:\\work\\shop\\a.ts", 13, "c:\\…\\a.ts"],
  ["a-long-name.ts", 8, "a-long-…"],
])("the path %s in %d columns is %s", (path, width, shown) => expect(fitPath(path, width)).toBe(shown));

test("a path of any length, as an agent may name one, is looked through once", async () => {
  expect(
    await growth(
      (size) => "a/".repeat(size),
      (path) => fitPath(path, 80),
      4000,
    ),
  ).toBeLessThan(IN_PROPORTION);
});
