/**
 * `npm run proof`: the loop with simulated agents, in virtual time: `-- --runs N` (200), `--out FILE`, `--json`.
 * `-- --peers DIR` runs the program itself beside other loops, as they are, with a stand-in for their agent (dist/ralph has to
 * be built, faketime be installed): `--persona NAME` (weak), `--gap SHARE`, `--runs N` (20), `--slow-runs N` (4), `--only NAME`,
 * `--out FILE`.
 * `-- --peers DIR --kill` ends each loop in the middle of a call, and looks what is left.
 * `-- --page [FILE...]` writes docs/proof.md from the results that it was made from and from such files, which are kept with them; of
 * two runs of a loop with the same agent, that with more seeds.
 * Says how often "done" was false, how often the loop gave up without need, and what a truly finished project cost, also as a
 * multiple of what a loop pays that sees the truth.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { beside } from "./proof/beside/beside.ts";
import type { Cell } from "./proof/beside/compare.ts";
import { type Kills, kills } from "./proof/beside/kills.ts";
import { LOOPS } from "./proof/beside/loops.ts";
import { sectionOf } from "./proof/page/beside-section.ts";
import { keepResults, type Result, readResults, together } from "./proof/page/kept-results.ts";
import { killsSection } from "./proof/page/kills-section.ts";
import { pageOf } from "./proof/page/page.ts";
import { virtualSection } from "./proof/page/virtual-section.ts";
import { PERSONAS, type PersonaName } from "./proof/persona.ts";
import { type Matrix, matrix } from "./proof/virtual/matrix.ts";

const ROOT = join(import.meta.dirname, "..");
const KEPT = join(ROOT, "docs", "assets", "proof");

const { values: flags, positionals } = parseArgs({
  options: {
    runs: { type: "string" },
    persona: { type: "string", default: "weak" },
    json: { type: "boolean", default: false },
    peers: { type: "string" },
    gap: { type: "string", default: "0" },
    "slow-runs": { type: "string", default: "4" },
    only: { type: "string" },
    out: { type: "string" },
    kill: { type: "boolean", default: false },
    page: { type: "boolean", default: false },
  },
  allowPositionals: true,
});

/** A whole number from `least`; throws an error that names the flag. */
function whole(flag: string, text: string, least = 1): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < least) throw new Error(`--${flag} takes a number from ${least}, not ${text}`);
  return value;
}

/** Part of the name of a loop; null for all. */
function onlyLoops(): string | null {
  const { only } = flags;
  if (only === undefined) return null;
  if (LOOPS.some(({ name }) => name.includes(only))) return only;
  throw new Error(`--only ${only} is in the name of no loop: ${LOOPS.map(({ name }) => name).join("; ")}`);
}

function isPersona(name: string): name is PersonaName {
  return Object.hasOwn(PERSONAS, name);
}

async function inVirtualTime(): Promise<void> {
  const found = await matrix(whole("runs", flags.runs ?? "200"), (text) => console.error(text));
  told(found, virtualSection(found));
}

async function besidePeers(peers: string): Promise<void> {
  const { persona } = flags;
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
      only: onlyLoops(),
      places: { ralph: join(ROOT, "dist", "ralph"), peers },
    },
    (text) => console.error(text),
  );
  told(cell, sectionOf(cell));
}

async function killed(peers: string): Promise<void> {
  const places = { ralph: join(ROOT, "dist", "ralph"), peers };
  const found = await kills(places, onlyLoops(), (text) => console.error(text));
  told(found, killsSection(found));
}

function told(result: Matrix | Cell | Kills, lines: readonly string[]): void {
  console.log(flags.json ? JSON.stringify(result, null, 2) : lines.join("\n"));
  // Second, because the file may be refused: what took so long is on the screen then.
  if (flags.out !== undefined) writeFileSync(flags.out, JSON.stringify(result));
}

async function writePage(files: readonly string[]): Promise<void> {
  const given = files.map((file) => JSON.parse(readFileSync(file, "utf8")) as Result);
  const results = together(readResults(KEPT), given);
  writeFileSync(join(ROOT, "docs", "proof.md"), await pageOf(results));
  keepResults(KEPT, results);
}

if (flags.page) await writePage(positionals);
else if (flags.peers !== undefined) await (flags.kill ? killed(flags.peers) : besidePeers(flags.peers));
else await inVirtualTime();
