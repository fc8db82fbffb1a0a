/**
 * `npm run proof`: the loop with simulated agents, in virtual time. `-- --runs N` (200), `-- --persona NAME`, `-- --json`.
 * `-- --peers DIR` runs the program itself beside other loops, as they are, with a stand-in for their agent (dist/ralph has to
 * be built, faketime be installed): `--persona NAME` (weak), `--gap SHARE`, `--runs N` (20), `--slow-runs N` (4), `--only NAME`, `--out FILE`;
 * `-- --page FILE...` writes docs/proof.md from such files.
 * Says how often "done" was false, how often the loop gave up without need, and what a truly finished project cost, also as a
 * multiple of what a loop pays that sees the truth.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { beside } from "./proof/beside/beside.ts";
import type { Cell } from "./proof/beside/compare.ts";
import { pageOf, sectionOf } from "./proof/beside/page.ts";
import { type Figures, figuresOf, type Share } from "./proof/figures.ts";
import { PERSONAS, type PersonaName } from "./proof/persona.ts";
import { SCENARIOS } from "./proof/scenarios.ts";
import { trials } from "./proof/trials.ts";

const ROOT = join(import.meta.dirname, "..");

const { values: flags, positionals } = parseArgs({
  options: {
    runs: { type: "string" },
    persona: { type: "string" },
    json: { type: "boolean" },
    peers: { type: "string" },
    gap: { type: "string", default: "0" },
    "slow-runs": { type: "string", default: "4" },
    only: { type: "string" },
    out: { type: "string" },
    page: { type: "boolean" },
  },
  allowPositionals: true,
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

/** A whole number from `least`; throws an error that names the flag. */
function whole(flag: string, text: string, least = 1): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least) throw new Error(`--${flag} takes a number from ${least}, not ${text}`);
  return value;
}

function isPersona(name: string): name is PersonaName {
  return name in PERSONAS;
}

async function inVirtualTime(runs: number): Promise<void> {
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
}

async function besidePeers(peers: string): Promise<void> {
  const persona = flags.persona ?? "weak";
  if (!isPersona(persona)) throw new Error(`--persona ${persona} is none of the personas`);
  const gap = Number(flags.gap);
  if (!(gap >= 0 && gap <= 1)) throw new Error(`--gap takes a share from 0 to 1, not ${flags.gap}`);
  const cell = await beside(
    {
      persona,
      gap,
      tasks: 6,
      runs: whole("runs", flags.runs ?? "20"),
      slowRuns: whole("slow-runs", flags["slow-runs"], 0),
      only: flags.only ?? null,
      places: { ralph: join(ROOT, "dist", "ralph"), peers },
    },
    (text) => console.error(text),
  );
  if (flags.out !== undefined) writeFileSync(flags.out, JSON.stringify(cell));
  console.log(flags.json === true ? JSON.stringify(cell, null, 2) : sectionOf(cell).join("\n"));
}

if (flags.page === true) {
  const results = positionals.map((file) => JSON.parse(readFileSync(file, "utf8")) as Cell);
  writeFileSync(join(ROOT, "docs", "proof.md"), pageOf(results));
} else if (flags.peers !== undefined) await besidePeers(flags.peers);
else await inVirtualTime(whole("runs", flags.runs ?? "200"));
