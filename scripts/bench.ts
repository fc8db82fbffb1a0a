/**
 * `npm run bench`: a table of figures; `-- --json` prints them as JSON. Each file of scripts/bench/ exports one function
 * that measures and gives its figures: a new one needs no other change.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { layers } from "./lib/layers.ts";
import type { Figure } from "./lib/measure.ts";

type Measure = () => Promise<Figure[]>;

async function build(): Promise<void> {
  const result = await layers.find(({ name }) => name === "build")?.run();
  if (result === undefined || result.counts.failed > 0) throw new Error(result?.output ?? "there is no build");
}

async function measureAll(): Promise<Figure[]> {
  const folder = join(import.meta.dirname, "bench");
  const figures: Figure[] = [];
  for (const file of readdirSync(folder).sort()) {
    const { default: measure }: { default: Measure } = await import(join(folder, file));
    figures.push(...(await measure()));
  }
  return figures;
}

const row = (cells: readonly [string, string, string, string, string]) =>
  cells.map((cell, column) => (column === 0 ? cell.padEnd(34) : cell.padStart(9))).join(" ");

function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ name, unit, min, median, runs }) =>
    row([name, min.toFixed(1), median.toFixed(1), unit, String(runs)]),
  );
  return [row(["figure", "min", "median", "unit", "runs"]), ...rows].join("\n");
}

await build();
const figures = await measureAll();
console.log(process.argv.includes("--json") ? JSON.stringify({ figures }, null, 2) : table(figures));
