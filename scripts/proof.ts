/**
 * `npm run proof`: the loop with simulated agents, in virtual time. `-- --runs N` (200), `-- --persona NAME`, `-- --json`.
 * Says how often "done" was false, how often the loop gave up without need, and what a truly finished project cost, also as a
 * multiple of what a loop pays that sees the truth.
 */
import { parseArgs } from "node:util";
import { type Figures, figuresOf, type Share } from "./proof/figures.ts";
import { SCENARIOS } from "./proof/scenarios.ts";
import { trials } from "./proof/trials.ts";

const { values: flags } = parseArgs({
  options: { runs: { type: "string", default: "200" }, persona: { type: "string" }, json: { type: "boolean" } },
});

const HEAD = ["agent", "project", "done", "false done", "false stop", "calls", "$ a done", "x oracle", "ended as"];

function cells(persona: string, project: string, figures: Figures): string[] {
  const { runs, saidDone, falseDone, falseStop, calls, costPerDone, ratioToOracle, reasons } = figures;
  const ends = Object.entries(reasons).toSorted(([, a], [, b]) => b - a);
  return [
    persona,
    project,
    `${saidDone}/${runs}`,
    share(falseDone),
    share(falseStop),
    calls.toFixed(1),
    costPerDone?.toFixed(2) ?? "-",
    ratioToOracle?.toFixed(2) ?? "-",
    ends.map(([reason, count]) => `${reason} ${count}`).join(", "),
  ];
}

function share({ count, low, high }: Share): string {
  return `${count} (${(low * 100).toFixed(0)}-${(high * 100).toFixed(0)} %)`;
}

function line(row: readonly string[]): string {
  const widths = [9, 8, 9, 14, 14, 6, 9, 9, 0];
  return row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(" ");
}

const runs = Number(flags.runs);
if (!Number.isInteger(runs) || runs < 1) throw new Error(`--runs takes a number from 1, not ${flags.runs}`);
const chosen = SCENARIOS.filter(({ persona }) => flags.persona === undefined || persona === flags.persona);
if (chosen.length === 0) throw new Error(`--persona ${flags.persona} is none of the personas`);

if (flags.json !== true) console.log(line(HEAD));
const results = [];
for (const { persona, project, spec } of chosen) {
  const figures = figuresOf(await trials(spec, runs));
  results.push({ persona, project, ...figures });
  if (flags.json !== true) console.log(line(cells(persona, project, figures)));
}
if (flags.json === true) console.log(JSON.stringify(results, null, 2));
