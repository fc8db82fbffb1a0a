import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const PAGES = join(ROOT, "docs", "originals");
const page = readFileSync(join(ROOT, "docs", "differences.md"), "utf8");

/** The cells of every row of a page's tables, without headings and rules. */
function rows(markdown: string): string[][] {
  const lines = markdown.split(/\r?\n/).filter((line) => line.startsWith("|"));
  return lines
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .filter((cells) => cells.length > 2 && !/^-+$/.test(cells[1] ?? "") && cells[1] !== "statement")
    .map((cells) => cells.slice(1, -1));
}

const differences = new Set(rows(page).map((cells) => cells[0]));

/** What is wrong with the last cell of a row: nothing, or a sentence for each fault. */
function faults(proof: string): string[] {
  const tests = [...proof.matchAll(/`(tests\/[^`]+)`: ([^`]+?)(?=$|; `|; unlike)/g)];
  const rowsOfPage = [...proof.matchAll(/unlike: `([^`]+)`/g)];
  if (tests.length + rowsOfPage.length === 0) return [`no test and no difference in "${proof}"`];
  const missing = tests.flatMap(([, path = "", name = ""]) => {
    const file = join(ROOT, path);
    if (!existsSync(file)) return [`no file ${path}`];
    return readFileSync(file, "utf8").includes(name.trim()) ? [] : [`no test "${name.trim()}" in ${path}`];
  });
  const unknown = rowsOfPage.filter(([, row = ""]) => !differences.has(row)).map(([, row]) => `no difference "${row}"`);
  return [...missing, ...unknown];
}

for (const page of readdirSync(PAGES).filter((name) => name !== "README.md")) {
  const table = rows(readFileSync(join(PAGES, page), "utf8"));

  test(`docs/originals/${page}: each statement has a test, or a row in the differences`, () => {
    expect(table.length).toBeGreaterThan(0);
    expect(table.flatMap((cells) => faults(cells.at(-1) ?? "").map((fault) => `${cells[0]}: ${fault}`))).toEqual([]);
  });

  test(`docs/originals/${page}: no statement stands twice`, () => {
    const statements = table.map((cells) => cells[0]);
    expect(statements).toEqual([...new Set(statements)]);
  });
}

test("a row without a proof, with a test that is not there, or with an unknown difference is noticed", () => {
  expect(faults("see the code")).toHaveLength(1);
  expect(faults("`tests/originals.test.ts`: a sentence that".concat(" nobody wrote"))).toHaveLength(1);
  expect(faults("`tests/nowhere.test.ts`: words")).toHaveLength(1);
  expect(faults("unlike: `a difference that nobody made`")).toHaveLength(1);
  expect(faults("`tests/originals.test.ts`: a row without a proof; unlike: `done`")).toEqual([]);
});
