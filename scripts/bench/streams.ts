/**
 * Floods of output, read by ralph, by a program that only splits them into lines and parses each one, and by one that records them
 * too: nothing that keeps a journal can be faster than that. With `--peers DIR` ralphy reads them as well, which keeps no journal.
 */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Bench, makeProject, withBench } from "../lib/bench/bench-project.ts";
import { type RunCost, runRalph } from "../lib/bench/bench-run.ts";
import { type BenchOptions, type Figure, figure, ratio } from "../lib/bench/measure.ts";
import { peakOf, watchProcess } from "../lib/bench/process-samples.ts";
import { type Ralphy, ralphyIn } from "../lib/bench/ralphy.ts";
import { compile } from "../lib/build/compile.ts";
import { programName } from "../lib/paths.ts";

const MOST_MB = 110;
const RUNS = 3;
/** Of the issue "Proof and speed": the whole process tree's CPU over ralphy's, and the memory of twice the events over that of once. */
const OVER_RALPHY = 1;
const TWICE_THE_EVENTS = 1.1;

type Flood = {
  name: string;
  events: number;
  env: Record<string, string>;
  /** Ours over the bare reader. */
  most: number;
  /** Twice as many events are sent as well: nothing of ours may grow with them in memory. */
  alsoTwice?: true;
};

const FLOODS: readonly Flood[] = [
  { name: "200,000 small events", events: 200_000, env: {}, most: 3 },
  { name: "200,000 texts, tools, results", events: 200_000, env: { BENCH_MIX: "1" }, most: 3.5, alsoTwice: true },
  { name: "200 MB in 60,000 results", events: 60_000, env: { BENCH_RESULT_BYTES: "3300" }, most: 2.5 },
];

/**
 * Reads the agent's output as ralph does, and prints its own CPU in ms. With a file named, it writes all that comes to it, and every
 * parsed line to a second one, with the hash of what it wrote, as a journal has it.
 */
const READER = `
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { openSync, writeSync } from "node:fs";
const [program = "", record] = process.argv.slice(2);
const { stdout } = spawn(program, [], { stdio: ["ignore", "pipe", "ignore"] });
const files = record === undefined ? null : { raw: openSync(record, "w"), journal: openSync(record + ".jsonl", "w") };
const hash = createHash("sha256");
let rest = "";
let parsed = 0;
for await (const chunk of stdout.setEncoding("utf8")) {
  const lines = (rest + chunk).split("\\n");
  rest = lines.pop() ?? "";
  let journal = "";
  for (const line of lines) {
    const event = JSON.parse(line);
    parsed += 1;
    if (files !== null) journal += JSON.stringify({ seq: parsed, ...event }) + "\\n";
  }
  if (files === null) continue;
  writeSync(files.raw, chunk);
  writeSync(files.journal, journal);
  hash.update(journal);
}
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ parsed, cpu: (user + system) / 1000 }));
`;

export default function streams({ quick, peers }: BenchOptions): Promise<Figure[]> {
  return withBench(async ({ folder, agent }) => {
    if (agent === null) return [];
    const reader = join(folder, programName(process.platform).replace("ralph", "reader"));
    writeFileSync(join(folder, "reader.ts"), READER);
    const problem = await compile({ entry: join(folder, "reader.ts"), outfile: reader });
    if (problem !== null) throw new Error(problem);
    const readers = { folder, agent, reader, ralphy: ralphyIn(peers, folder, agent), runs: quick ? 1 : RUNS };
    const figures: Figure[] = [];
    for (const flood of FLOODS) figures.push(...(await measure(readers, flood)));
    return figures;
  });
}

type Readers = Bench & { agent: string; reader: string; ralphy: Ralphy | null; runs: number };

async function measure(readers: Readers, flood: Flood): Promise<Figure[]> {
  const { name, most } = flood;
  const bare: Cost[] = [];
  const recording: Cost[] = [];
  const own: RunCost[] = [];
  const doubled: RunCost[] = [];
  const theirs: RunCost[] = [];
  for (let run = 0; run < readers.runs; run += 1) {
    bare.push(await floorCost(readers, flood, null));
    // What was written is removed at once: hundreds of MB on their way to the disk would be charged to whoever writes next.
    const records = mkdtempSync(join(readers.folder, "records-"));
    recording.push(await floorCost(readers, flood, join(records, "raw")));
    rmSync(records, { recursive: true });
    own.push(await ralphCost(readers, flood));
    if (flood.alsoTwice) doubled.push(await ralphCost(readers, { ...flood, events: flood.events * 2 }));
    const { ralphy } = readers;
    if (ralphy !== null) {
      const env = environmentOf(flood);
      const cost = await inProject(readers, (project) => ralphy({ project, iterations: 1, env }));
      if (cost.starts.length !== 1) throw new Error(`ralphy called its agent ${cost.starts.length} times`);
      theirs.push(cost);
    }
  }
  const cpu = (who: string, costs: readonly Cost[]) =>
    figure(
      `${who}, ${name}: CPU`,
      "ms",
      costs.map(({ cpu }) => cpu),
    );
  const tree = (who: string, costs: readonly RunCost[]) =>
    figure(
      `${who}, ${name}: CPU with its agent`,
      "ms",
      costs.map(({ treeCpu }) => treeCpu),
    );
  const plain = cpu("split and parse", bare);
  const recorded = cpu("split, parse and record", recording);
  const ralph = cpu("ralph", own);
  const once = peak(`peak memory, ${name}`, own, MOST_MB);
  const twice = peak("peak memory, twice as many", doubled);
  return [
    plain,
    recorded,
    ralph,
    ratio(`ralph over split and parse, ${name}`, ralph, plain, most),
    ratio(`ralph over split, parse and record, ${name}`, ralph, recorded, null),
    ...(theirs.length === 0
      ? []
      : [ratio(`ralph over ralphy: CPU, ${name}`, tree("ralph", own), tree("ralphy", theirs), OVER_RALPHY)]),
    peak(`split and parse: peak memory, ${name}`, bare),
    peak(`split, parse and record: peak memory, ${name}`, recording),
    once,
    ...(flood.alsoTwice ? [twice, ratio("peak memory, twice as many over once", twice, once, TWICE_THE_EVENTS)] : []),
  ];
}

function peak(name: string, costs: readonly Cost[], most?: number): Figure {
  return figure(
    name,
    "MB",
    costs.map(({ peak }) => peak),
    most,
  );
}

/** CPU in ms, most memory in MB (1e6 bytes). */
type Cost = { cpu: number; peak: number };

function environmentOf({ events, env }: Flood): Record<string, string> {
  return { ...env, BENCH_EVENTS: String(events) };
}

function ralphCost(readers: Readers, flood: Flood): Promise<RunCost> {
  const { agent } = readers;
  return inProject(readers, (project) => runRalph({ project, agent, iterations: 1, env: environmentOf(flood) }));
}

/** In a small project that is removed at once, as what the readers recorded. */
async function inProject<T>(readers: Readers, run: (project: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(readers.folder, "flood-"));
  const cost = await run(makeProject(folder, "project", 20));
  rmSync(folder, { recursive: true });
  return cost;
}

async function floorCost({ folder, agent, reader }: Readers, flood: Flood, record: string | null): Promise<Cost> {
  const argv = [reader, agent, ...(record === null ? [] : [record])];
  const env = { ...environmentOf(flood), PATH: process.env.PATH ?? "" };
  const child = Bun.spawn(argv, { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  const samples = watchProcess(child.pid, child.exited);
  const { parsed, cpu }: { parsed: number; cpu: number } = JSON.parse(await child.stdout.text());
  if (parsed < flood.events) throw new Error(`the reader saw ${parsed} lines of ${flood.events}`);
  return { cpu, peak: peakOf(await samples) };
}
