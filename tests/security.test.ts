/** SECURITY.md promises nothing without a test: each that it cites exists under the words it cites. */
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../scripts/lib/paths.ts";

const page = readFileSync(join(root, "SECURITY.md"), "utf8");

/** Cited tests as file and name: a file may be followed by several names. */
const cited = (text: string) =>
  [...text.replace(/\s+/g, " ").matchAll(/`(tests\/[\w/-]+\.test\.ts)`: ("[^"]+"(?:, "[^"]+")*)/g)].flatMap(
    ([, file = "", names = ""]) => [...names.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => ({ file, name })),
  );

/** Those that no file has. */
const missing = (text: string) =>
  cited(text).filter(
    ({ file, name }) => !existsSync(join(root, file)) || !readFileSync(join(root, file), "utf8").includes(`"${name}"`),
  );

/** Promises, which are the list items, without a test. */
const bare = (text: string) =>
  text.split(/\n(?=- |\n|#)/).filter((part) => part.startsWith("- ") && cited(part).length === 0);

test("every test that SECURITY.md cites exists", () => {
  expect(cited(page).length).toBeGreaterThan(15);
  expect(missing(page)).toEqual([]);
});

test("every promise cites a test, but what ralph does not do at all", () => {
  expect(bare(page).map((part) => part.slice(0, 40))).toEqual(["- ralph itself listens on no port, but f"]);
});

test("a promise without a test, and a test that is gone, are noticed", () => {
  expect(missing('(`tests/gone.test.ts`: "is held")')).toHaveLength(1);
  expect(
    missing('(`tests/security.test.ts`: "no test of this name"  )'.replace("no test", "none at all")),
  ).toHaveLength(1);
  expect(
    missing('(`tests/security.test.ts`: "every test that SECURITY.md cites exists", "the second of ' + 'them")'),
  ).toHaveLength(1);
  expect(bare("\n- Nothing can happen.\n")).toHaveLength(1);
});
