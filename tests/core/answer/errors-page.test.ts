import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { classifyError } from "../../../src/core/answer/error-patterns.ts";
import { STOP_REASONS } from "../../../src/core/stop/stop-reasons.ts";

const page = readFileSync(join(import.meta.dirname, "../../../docs/errors.md"), "utf8");
const [overview = "", ...sections] = page.split("\n## ");

/** Cells of a table row; a bar in a wording is written `\|`. */
const cells = (line: string) =>
  line
    .replaceAll("\\|", "\0")
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll("\0", "|"));
const inCode = (cell = "") => /^`(.*)`$/.exec(cell)?.[1];

/** Class, wording and source of each row of the page. */
const WORDINGS = sections.flatMap((section) => {
  const title = section.split("\n")[0] ?? "";
  return section.split("\n").flatMap((line): [string, string, string][] => {
    const row = cells(line);
    const [first, second = "", third = ""] = row;
    if (row.length === 2 && inCode(first) !== undefined) return [[title, inCode(first) ?? "", second]];
    return row.length === 3 && inCode(first) !== undefined ? [[inCode(first) ?? "", inCode(second) ?? "", third]] : [];
  });
});

describe("the page of errors", () => {
  test("has wordings of every class, each with a source", () => {
    expect(WORDINGS.length).toBeGreaterThan(60);
    expect(WORDINGS.filter(([, wording, source]) => wording === "" || source === "")).toEqual([]);
    const listed = overview.split("\n").flatMap((line) => inCode(cells(line)[0]) ?? []);
    expect([...new Set(WORDINGS.map(([name]) => name))].sort()).toEqual([...listed].sort());
  });

  test.each(WORDINGS)("says %s of %j", (name, wording) => {
    expect<string | undefined>(classifyError(wording)?.class).toBe(name);
  });

  test("names the ends of runs with their exit codes", () => {
    const ends = [...overview.matchAll(/`(\w+)` \((\d)\)/g)].map(
      ([, reason = "", exit]) => [reason, Number(exit)] as const,
    );
    expect(ends.length).toBeGreaterThan(5);
    const codes = new Map<string, number>(Object.entries(STOP_REASONS).map(([reason, row]) => [reason, row.exit]));
    expect(ends).toEqual(ends.map(([reason]) => [reason, codes.get(reason) ?? -1] as const));
  });
});
