/** Two floods of output, read by ralph and by a program that only splits them into lines and parses each one. */

import { writeFileSync } from "node:fs";
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

/** Reads the agent's output as ralph does, and prints its own CPU in ms. */
const READER = `
import { spawn } from "node:child_process";
const [program = ""] = process.argv.slice(2);
const { stdout } = spawn(program, [], { stdio: ["ignore", "pipe", "ignore"] });
let rest = "";
let parsed = 0;
for await (const chunk of stdout.setEncoding("utf8")) {
  const lines = (rest + chunk).split("\\n");
  rest = lines.pop() ?? "";
  for (const line of lines) if (JSON.parse(line) !== null) parsed += 1;
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
  const own: number[] = [];
  const peaks: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    bare.push(await bareCpu([reader, agent], events, { ...env, PATH: process.env.PATH ?? "" }, folder));
    const project = makeProject(folder, `${name}-${run}`, 20);
    const { cpu, peak } = await runRalph({ project, agent, iterations: 1, env });
    own.push(cpu);
    peaks.push(peak);
  }
  const plain = figure(`split and parse, ${name}: CPU`, "ms", bare);
  const ralph = figure(`ralph, ${name}: CPU`, "ms", own);
  return [
    plain,
    ralph,
    ratio(`ralph over split and parse, ${name}`, ralph, plain, most),
    figure(`peak memory, ${name}`, "MB", peaks, MOST_MB),
  ];
}

async function bareCpu(argv: string[], events: number, env: Record<string, string>, cwd: string): Promise<number> {
  const child = Bun.spawn(argv, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
  const { parsed, cpu }: { parsed: number; cpu: number } = JSON.parse(await child.stdout.text());
  if (parsed < events) throw new Error(`the reader saw ${parsed} lines of ${events}`);
  return cpu;
}
