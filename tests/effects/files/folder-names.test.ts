import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, sep } from "node:path";
import { foldersOf } from "../../../src/effects/files/folder-names.ts";
import { testFolder } from "../../folders.ts";

const home = testFolder("folders");
for (const name of ["shop", "Shoes", "bakery", ".config"]) mkdirSync(join(home, name));
writeFileSync(join(home, "shopping.txt"), "");
if (process.platform !== "win32") {
  symlinkSync("bakery", join(home, "link"));
  symlinkSync("nowhere", join(home, "broken"));
  symlinkSync("circle", join(home, "circle"));
}
const links = process.platform === "win32" ? [] : ["link"];

test.each<[typed: string, found: readonly string[]]>([
  [home + sep, ["bakery", ...links, "Shoes", "shop"]],
  [join(home, "sh"), ["Shoes", "shop"]],
  [join(home, "shop"), ["shop"]],
  [`${home}${sep}.`, [".config"]],
  [join(home, "x"), []],
  [join(home, "shop", "deeper", "x"), []],
  [join(home, "shopping.txt", "x"), []],
  ["sh", []],
  ["", []],
])("%p can become", (typed, found) => {
  expect(foldersOf(typed)).toEqual(found.map((name) => join(home, name)));
});
