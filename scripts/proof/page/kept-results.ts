/** The results that the page was made from, kept beside it: with them it can be made anew, and checked. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Cell, mergedCells } from "../beside/compare.ts";
import type { Kills } from "../beside/kills.ts";
import type { Matrix } from "../virtual/matrix.ts";

export type Result = Matrix | Cell | Kills;
/** What the page is made from; null: not run. */
export type Results = { virtual: Matrix | null; cells: readonly Cell[]; ended: Kills | null };

/** The results of files in a folder, in the order of their names; none without the folder. */
export function readResults(folder: string): Result[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Result);
}

/**
 * One result of each kind, in the order in which they were kept: of two with the same agent, loop by loop, that with more seeds; of the
 * others, and of as many seeds, the new one.
 */
export function together(kept: readonly Result[], given: readonly Result[] = []): Results {
  const results = [...kept, ...given];
  return {
    virtual: results.findLast((one) => one.kind === "virtual") ?? null,
    cells: mergedCells(results.filter((one) => one.kind === "beside")),
    ended: results.findLast((one) => one.kind === "kills") ?? null,
  };
}

/** Writes the results in place of those that the folder has, without what the programs printed. */
export function keepResults(folder: string, { virtual, cells, ended }: Results): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const write = (name: string, result: Result) => writeFileSync(join(folder, `${name}.json`), lines(result));
  if (virtual !== null) write("virtual", virtual);
  if (ended !== null) write("kills", ended);
  for (const [index, cell] of cells.entries())
    write(`beside-${index + 1}-${cell.persona}-${cell.gap}`, { ...cell, rows: cell.rows.map(withoutOutput) });
}

function withoutOutput(row: Cell["rows"][number]): Cell["rows"][number] {
  return { ...row, ends: row.ends.map((end) => ({ ...end, tail: "" })) };
}

/** JSON with a line for each row of a list: what changed in a result is seen line by line. */
function lines(result: Result): string {
  const parts = Object.entries(result).map(([name, value]) =>
    Array.isArray(value)
      ? `"${name}": [\n${value.map((row) => JSON.stringify(row)).join(",\n")}\n]`
      : `"${name}": ${JSON.stringify(value)}`,
  );
  return `{\n${parts.join(",\n")}\n}\n`;
}
