/**
 * `npm run soak [-- --iterations N --files N --journal-mb N --runs N]`: sizes beyond what anybody has, each once, with figures. By
 * default 10,000 iterations, 300,000 files, a journal of 1,000 MB and 50 runs at once; takes about an hour. Exits 1 if something failed.
 */
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Bench, makeProject, withBench } from "./lib/bench/bench-project.ts";
import { type RunCost, runRalph } from "./lib/bench/bench-run.ts";
import { medianOf } from "./lib/bench/measure.ts";
import { binary } from "./lib/paths.ts";
import { cleanEnvironment } from "./lib/tests/environment.ts";

const { values } = parseArgs({
  options: {
    iterations: { type: "string", default: "10000" },
    files: { type: "string", default: "300000" },
    "journal-mb": { type: "string", default: "1000" },
    runs: { type: "string", default: "50" },
  },
});
const SMALL = 20;
const MB = 1_000_000;

const show = ({ gaps, cpu, peak }: RunCost) =>
  `gap ${medianOf(gaps).toFixed(1)} ms, CPU ${Math.round(cpu)} ms, peak ${Math.round(peak)} MB`;

async function manyIterations({ folder }: Bench, agent: string, iterations: number): Promise<string> {
  return show(await runRalph({ project: makeProject(folder, "iterations", SMALL), agent, iterations }));
}

async function manyFiles({ folder }: Bench, agent: string, files: number): Promise<string> {
  return show(await runRalph({ project: makeProject(folder, "files", files), agent, iterations: 5 }));
}

async function manyRuns({ folder }: Bench, agent: string, runs: number): Promise<string> {
  const projects = Array.from({ length: runs }, (_, n) => makeProject(folder, `run-${n}`, SMALL));
  const costs = await Promise.all(projects.map((project) => runRalph({ project, agent, iterations: 20 })));
  const gaps = costs.flatMap((cost) => cost.gaps);
  return `gap ${medianOf(gaps).toFixed(1)} ms, highest peak ${Math.round(Math.max(...costs.map(({ peak }) => peak)))} MB`;
}

/** A finished run, with texts of its agent put in until its journal has that size; what looks at it, each with its seconds. */
async function longJournal({ folder }: Bench, agent: string, megabytes: number): Promise<string> {
  const project = makeProject(folder, "journal", SMALL);
  await runRalph({ project, agent, iterations: 1 });
  const runs = join(project, ".ralph/runs");
  const run = readdirSync(runs)[0] ?? "";
  const path = join(runs, run, "events.jsonl");
  const events = readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line): Record<string, unknown> => JSON.parse(line));
  const [last, started] = [events.at(-1), events.findIndex(({ type }) => type === "agent_started")];
  const lines = (some: readonly unknown[]) => some.map((event) => `${JSON.stringify(event)}\n`).join("");
  writeFileSync(path, lines(events.slice(0, started + 1)));
  const text = { ...events[started], type: "agent_text", call: 1, text: "x".repeat(1_000) };
  let seq = started + 1;
  const numbered = (event: Record<string, unknown> | undefined) => {
    seq += 1;
    return { ...event, seq };
  };
  for (let bytes = 0; bytes < megabytes * MB; ) {
    const part = lines(Array.from({ length: 1_000 }, () => numbered(text)));
    appendFileSync(path, part);
    bytes += part.length;
  }
  appendFileSync(path, lines([...events.slice(started + 1, -1), last].map(numbered)));
  const seconds = [["status", "--json"], ["report", "--json"], ["runs", "--json"], ["logs"]].map((argv) => {
    const start = performance.now();
    const { exitCode, resourceUsage } = Bun.spawnSync([binary, ...argv], {
      cwd: project,
      env: cleanEnvironment(folder),
      stdio: ["ignore", "ignore", "inherit"],
    });
    if (exitCode !== 0) throw new Error(`ralph ${argv.join(" ")}: exit code ${exitCode}`);
    const peak = Math.round((resourceUsage?.maxRSS ?? Number.NaN) / MB);
    return `${argv[0]} ${((performance.now() - start) / 1000).toFixed(1)} s, peak ${peak} MB`;
  });
  return seconds.join("; ");
}

const parts: [string, number, (bench: Bench, agent: string, size: number) => Promise<string>][] = [
  ["runs at once", Number(values.runs), manyRuns],
  ["MB of journal", Number(values["journal-mb"]), longJournal],
  ["files", Number(values.files), manyFiles],
  ["iterations", Number(values.iterations), manyIterations],
];
for (const [what, size, measure] of parts) {
  const start = performance.now();
  const said = await withBench((bench) => {
    if (bench.agent === null) throw new Error("The agent cannot be compiled: install a C compiler.");
    return measure(bench, bench.agent, size);
  });
  console.log(
    `${String(size).padStart(7)} ${what}: ${said} (${Math.round((performance.now() - start) / 1000)} s in all)`,
  );
}
