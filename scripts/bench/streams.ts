/**
 * Floods of output, read by ralph, by a program that only splits them into lines and parses each one, and by one that records them
 * too: nothing that keeps a journal can be faster than that.
 */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Bench, makeProject, withBench } from "../lib/bench/bench-project.ts";
import { runRalph } from "../lib/bench/bench-run.ts";
import { type BenchOptions, type Figure, figure, ratio } from "../lib/bench/measure.ts";
import { compile } from "../lib/build/compile.ts";
import { programName } from "../lib/paths.ts";

const MOST_MB = 110;
const RUNS = 3;

/** `most`: ours over the bare reader. */
const FLOODS = [
  { name: "200,000 small events", events: 200_000, env: {}, most: 3 },
  { name: "200,000 texts, tools, results", events: 200_000, env: { BENCH_MIX: "1" }, most: 3.5 },
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

export default function streams({ quick }: BenchOptions): Promise<Figure[]> {
  return withBench(async ({ folder, agent }) => {
    if (agent === null) return [];
    const reader = join(folder, programName(process.platform).replace("ralph", "reader"));
    writeFileSync(join(folder, "reader.ts"), READER);
    const problem = await compile({ entry: join(folder, "reader.ts"), outfile: reader });
    if (problem !== null) throw new Error(problem);
    const figures: Figure[] = [];
    for (const flood of FLOODS) figures.push(...(await measure({ folder, agent }, reader, flood, quick ? 1 : RUNS)));
    return figures;
  });
}

type Flood = (typeof FLOODS)[number];

async function measure(
  { folder, agent }: Bench & { agent: string },
  reader: string,
  { name, events, env: kind, most }: Flood,
  runs: number,
): Promise<Figure[]> {
  const env = { ...kind, BENCH_EVENTS: String(events) };
  const bare: number[] = [];
  const recording: number[] = [];
  const own: number[] = [];
  const peaks: number[] = [];
  const variables = { ...env, PATH: process.env.PATH ?? "" };
  for (let run = 0; run < runs; run += 1) {
    bare.push(await bareCpu([reader, agent], events, variables, folder));
    // What was written is removed at once: hundreds of MB on their way to the disk would be charged to whoever writes next.
    const records = mkdtempSync(join(folder, "records-"));
    recording.push(await bareCpu([reader, agent, join(records, "raw")], events, variables, folder));
    rmSync(records, { recursive: true });
    const project = makeProject(folder, `${name}-${run}`, 20);
    const { cpu, peak } = await runRalph({ project, agent, iterations: 1, env });
    rmSync(project, { recursive: true });
    own.push(cpu);
    peaks.push(peak);
  }
  const plain = figure(`split and parse, ${name}: CPU`, "ms", bare);
  const recorded = figure(`split, parse and record, ${name}: CPU`, "ms", recording);
  const ralph = figure(`ralph, ${name}: CPU`, "ms", own);
  return [
    plain,
    recorded,
    ralph,
    ratio(`ralph over split and parse, ${name}`, ralph, plain, most),
    ratio(`ralph over split, parse and record, ${name}`, ralph, recorded, null),
    figure(`peak memory, ${name}`, "MB", peaks, MOST_MB),
  ];
}

async function bareCpu(argv: string[], events: number, env: Record<string, string>, cwd: string): Promise<number> {
  const child = Bun.spawn(argv, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  const { parsed, cpu }: { parsed: number; cpu: number } = JSON.parse(await child.stdout.text());
  if (parsed < events) throw new Error(`the reader saw ${parsed} lines of ${events}`);
  return cpu;
}
