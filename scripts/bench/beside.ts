/**
 * Ours beside ralphy, which records nothing and looks at no file, and beside two floors: a program that only starts the agent and
 * reads it, and one that also reads prompt and plan, looks at each file and keeps output and journal, in the simplest way that
 * this runtime has. The same fast agent, taking turns, whole process trees. Without `--peers DIR` ralphy is left out.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeProject, withBench } from "../lib/bench/bench-project.ts";
import { type RunCost, runLoop, runRalph } from "../lib/bench/bench-run.ts";
import { type BenchOptions, type Figure, figure, medianOf, ratio } from "../lib/bench/measure.ts";
import { ralphyIn } from "../lib/bench/ralphy.ts";
import { compile } from "../lib/build/compile.ts";
import { programName } from "../lib/paths.ts";

/** Of the issue "Proof and speed": at most so many times ralphy, at 20 files and at 1,000. */
const SIZES = [
  { files: 20, gap: 0.9, cpu: 1.0 },
  { files: 1_000, gap: 1.3, cpu: 1.6 },
];
const LAUNCH = 0.4;
/** No agent ends at once: what a loop does while one works is no part of a gap. */
const WORK_MS = "40";

/** Starts the agent again and again, reads each line and looks at no file. */
const BARE = `
import { spawn } from "node:child_process";
const [agent = "", most = "0"] = process.argv.slice(2);
for (let nth = 0; nth < Number(most); nth += 1) {
  const { stdout } = spawn(agent, [], { stdio: ["ignore", "pipe", "ignore"] });
  let text = "";
  for await (const chunk of stdout.setEncoding("utf8")) text += chunk;
  for (const line of text.trimEnd().split("\\n")) JSON.parse(line);
}
`;

/** The same, with a record: nothing that keeps one and sees what changed can be faster than that. */
const RECORDING = `
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { fsyncSync, lstatSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
const [agent = "", most = "0"] = process.argv.slice(2);
const journal = openSync(".ralph/floor.jsonl", "w");
const hash = createHash("sha256");
const write = (events) => {
  const text = events.map((event) => JSON.stringify(event) + "\\n").join("");
  writeSync(journal, text);
  hash.update(text);
};
const look = (folder, seen) => {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = folder + "/" + entry.name;
    if (entry.isDirectory()) entry.name === ".git" || entry.name === ".ralph" || look(path, seen);
    else {
      const { size, mtimeMs, ctimeMs, ino } = lstatSync(path);
      seen.set(path, [size, mtimeMs, ctimeMs, ino].join());
    }
  }
  return seen;
};
let before = look(".", new Map());
for (let nth = 0; nth < Number(most); nth += 1) {
  const [prompt, plan] = ["PROMPT.md", "fix_plan.md"].map((name) => readFileSync(".ralph/" + name, "utf8"));
  write([{ nth, plan: plan.split("\\n").length, prompt: prompt.length }]);
  const { stdout, pid } = spawn(agent, [], { stdio: ["ignore", "pipe", "ignore"] });
  write([{ nth, pid }]);
  fsyncSync(journal);
  const output = openSync(".ralph/floor-" + nth + ".out", "w");
  let text = "";
  for await (const chunk of stdout) {
    writeSync(output, chunk);
    text += chunk.toString("utf8");
  }
  write(text.trimEnd().split("\\n").map((line) => JSON.parse(line)));
  const after = look(".", new Map());
  write([{ nth, changed: [...after].filter(([path, stat]) => before.get(path) !== stat).map(([path]) => path) }]);
  before = after;
}
`;

/** Floors by name. */
const FLOORS: Readonly<Record<string, string>> = { bare: BARE, recording: RECORDING };

type Loop = (iterations: number) => Promise<RunCost>;

export default function beside({ quick, peers }: BenchOptions): Promise<Figure[]> {
  return withBench(async ({ folder, agent }) => {
    if (agent === null) return [];
    const floors = await Promise.all(
      Object.keys(FLOORS).map(async (name) => [name, await floorProgram(folder, name)] as const),
    );
    const ralphy = ralphyIn(peers, folder, agent);
    const figures: Figure[] = [];
    for (const { files, gap, cpu } of SIZES) {
      const project = makeProject(folder, `project-${files}`, files);
      const env = { BENCH_WORK_MS: WORK_MS };
      const loops: Record<string, Loop> = {
        ralph: (iterations) => runRalph({ project, agent, iterations, env }),
        ...Object.fromEntries(
          floors.map(([name, program]) => [
            name,
            (iterations: number) => runLoop([program, agent, String(iterations)], { project, exit: 0, env }),
          ]),
        ),
        ...(ralphy === null ? {} : { ralphy: (iterations: number) => ralphy({ project, iterations, env }) }),
      };
      figures.push(...(await compared(loops, files, { gap, cpu }, quick)));
    }
    return figures;
  });
}

async function floorProgram(folder: string, name: string): Promise<string> {
  const [entry, outfile] = [
    join(folder, `${name}.ts`),
    join(folder, programName(process.platform).replace("ralph", name)),
  ];
  writeFileSync(entry, FLOORS[name] ?? "");
  const problem = await compile({ entry, outfile });
  if (problem !== null) throw new Error(problem);
  return outfile;
}

/** Figures of each loop, and ours over those of the others. */
async function compared(
  loops: Record<string, Loop>,
  files: number,
  most: { gap: number; cpu: number },
  quick: boolean,
): Promise<Figure[]> {
  const [few, many, rounds] = quick ? [5, 20, 1] : [10, 150, 3];
  const values = new Map(Object.keys(loops).map((name) => [name, { gap: [], cpu: [], launch: [] } as Values]));
  for (let round = 0; round < rounds; round += 1)
    for (const [name, loop] of Object.entries(loops)) {
      const short = await loop(few);
      const long = await loop(many);
      const of = values.get(name);
      of?.gap.push(medianOf(long.gaps));
      of?.cpu.push((long.treeCpu - short.treeCpu) / (many - few));
      of?.launch.push(short.launch, long.launch);
    }
  const figuresOf = (what: keyof Values, words: string) =>
    new Map([...values].map(([name, all]) => [name, figure(`${name}, ${words}`, "ms", all[what])]));
  const gap = figuresOf("gap", `agent end to next start, ${files} files`);
  const cpu = figuresOf("cpu", `CPU of an iteration, ${files} files`);
  const launch = figuresOf("launch", `launch to first agent, ${files} files`);
  const all = [gap, cpu, launch];
  return [
    ...all.flatMap((one) => [...one.values()]),
    ...over(gap, `gap, ${files} files`, most.gap),
    ...over(cpu, `CPU, ${files} files`, most.cpu),
    ...over(launch, `launch, ${files} files`, LAUNCH),
  ];
}

type Values = { gap: number[]; cpu: number[]; launch: number[] };

/** Ours over ralphy, with its bound, and over the floors. */
function over(figures: ReadonlyMap<string, Figure>, words: string, most: number): Figure[] {
  const ours = figures.get("ralph");
  return ["ralphy", ...Object.keys(FLOORS)].flatMap((name) => {
    const other = figures.get(name);
    if (ours === undefined || other === undefined) return [];
    return [ratio(`ralph over ${name}: ${words}`, ours, other, name === "ralphy" ? most : null)];
  });
}
