/**
 * `npm run bench`: a table of figures and their targets. `-- --json` prints JSON, `-- --only NAME` takes one file of
 * scripts/bench/, `-- --quick` makes fewer runs, `-- --peers DIR` measures another loop beside ours (`npm run proof` says how to get it).
 * Each file of scripts/bench/ exports one function that measures and returns its figures; a new one needs no other
 * change. The median decides, so the machine should be idle. Multiples stand beside those that were recorded for docs/performance.md:
 * they are the baseline, as they mean the same on any machine.
 */
import { readdirSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { BenchOptions, Figure, Measure } from "./lib/bench/measure.ts";
import { recordedBench } from "./lib/docs/performance-table.ts";
import { layers } from "./lib/tests/layers.ts";

const { values: flags } = parseArgs({
  options: {
    json: { type: "boolean" },
    quick: { type: "boolean" },
    only: { type: "string" },
    peers: { type: "string" },
  },
});

async function build(): Promise<void> {
  const result = await layers.find(({ name }) => name === "build")?.run();
  if (result === undefined || result.counts.failed > 0) throw new Error(result?.output ?? "there is no build");
}

async function measureAll(only: string | undefined, options: BenchOptions): Promise<Figure[]> {
  const folder = join(import.meta.dirname, "bench");
  const names = readdirSync(folder).sort();
  const chosen = only === undefined ? names : names.filter((name) => name === `${only}.ts`);
  if (chosen.length === 0) throw new Error(`--only ${only} is none of: ${names.join(", ").replaceAll(".ts", "")}`);
  const figures: Figure[] = [];
  for (const file of chosen) {
    const { default: measure }: { default: Measure } = await import(join(folder, file));
    figures.push(...(await measure(options)));
  }
  return figures;
}

function row([name = "", ...cells]: readonly string[]): string {
  return [name.padEnd(48), ...cells.map((cell) => cell.padStart(8))].join(" ");
}

function table(figures: readonly Figure[]): string {
  const recorded = new Map(recordedBench().figures.map((one) => [one.name, one.median]));
  const rows = figures.map(({ name, unit, min, median, runs, target, ok }) =>
    row([
      name,
      min.toFixed(2),
      median.toFixed(2),
      unit,
      String(runs),
      unit === "x" ? (recorded.get(name)?.toFixed(2) ?? "new") : "",
      target === null ? "" : String(target),
      ok === null ? "" : ok ? "ok" : "MISSED",
    ]),
  );
  return [row(["figure", "min", "median", "unit", "runs", "recorded", "at most", ""]), ...rows].join("\n");
}

await build();
const before = loadavg()[0] ?? 0;
const figures = await measureAll(flags.only, { quick: flags.quick ?? false, peers: flags.peers ?? null });
const load = [before, loadavg()[0] ?? 0].map((value) => value.toFixed(1));
if (flags.json) console.log(JSON.stringify({ figures, load_average: load.map(Number) }, null, 2));
else console.log(`${table(figures)}\nload average ${load.join(" before, ")} after`);
