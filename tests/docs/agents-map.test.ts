/** What AGENTS.md says of folders and files is so, and what CONTRIBUTING.md says of the tests. */
import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../scripts/lib/paths.ts";
import { layers } from "../../scripts/lib/tests/layers.ts";

const page = readFileSync(join(root, "AGENTS.md"), "utf8");

/** The paths in a page's tables that are not there: from the root, from `src/`, or beside the folder that the row is about. */
function gone(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("|") && !line.startsWith("| `npm"))
    .flatMap((line) => {
      const [first = "", ...others] = [...line.matchAll(/`([\w.-]*\/[\w./-]*)`/g)].map(([, path = ""]) => path);
      const places = ["", "src", first];
      return [first, ...others].filter((path) => path !== "" && !places.some((at) => existsSync(join(root, at, path))));
    });
}

/** Folders of the program with more files side by side than the page allows. */
function crowded(most: number): string[] {
  return readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((folder) => readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile()).length > most)
    .map((folder) => folder.slice(join(root, "src").length + 1).replaceAll("\\", "/"))
    .sort();
}

test("the paths of its tables are there", () => {
  expect(gone(page)).toEqual([]);
});

test("a path that is gone is noticed", () => {
  expect(gone("| what is gone | `core/gone/gone.ts`, `core/decide/decide.ts` |")).toEqual(["core/gone/gone.ts"]);
});

test("no folder is more crowded than it says", () => {
  const [, most = "0", names = ""] =
    /No folder of `src\/` has more than (\d+) files side by side, except ([\s\S]*?)\n\n/.exec(page) ?? [];
  expect(crowded(Number(most))).toEqual([...names.matchAll(/`([\w/-]+)\/`/g)].map(([, name]) => name ?? "").sort());
});

test("each folder of the first level has a README", () => {
  const folders = readdirSync(join(root, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const all = [...folders.map(({ name }) => `src/${name}`), "drivers", "scripts", "tests"];
  expect(all.filter((folder) => !existsSync(join(root, folder, "README.md")))).toEqual([]);
});

test("CONTRIBUTING.md has every layer of the tests, in its order", () => {
  const [, table = ""] = readFileSync(join(root, "CONTRIBUTING.md"), "utf8").split("runs these layers in order");
  const named = table.split("\n\n")[1]?.split("\n") ?? [];
  expect(named.slice(2).map((row) => row.split("|")[1]?.trim())).toEqual(layers.map(({ name }) => name));
});
