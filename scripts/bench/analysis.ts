/** `ralph analyze` of 100 MB of JSON Lines, beside a program that only parses those lines. */
import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { makeProject, withBench } from "../lib/bench/bench-project.ts";
import { environment } from "../lib/bench/bench-run.ts";
import { type BenchOptions, type Figure, figure, ratio } from "../lib/bench/measure.ts";
import { watchProcess } from "../lib/bench/process-samples.ts";
import { compile } from "../lib/build/compile.ts";
import { binary, programName } from "../lib/paths.ts";

const MOST_OVER_BARE = 1.5;
const MOST_GROWTH = 1.1;
const RUNS = 3;

const PARSER = `
import { createReadStream } from "node:fs";
let rest = "";
let parsed = 0;
for await (const chunk of createReadStream(process.argv[2] ?? "", { encoding: "utf8", highWaterMark: 1 << 20 })) {
  const lines = (rest + chunk).split("\\n");
  rest = lines.pop() ?? "";
  for (const line of lines) if (JSON.parse(line) !== null) parsed += 1;
}
console.log(parsed);
`;

export default function analysis({ quick }: BenchOptions): Promise<Figure[]> {
  return withBench(async ({ folder }) => {
    const parser = join(folder, programName(process.platform).replace("ralph", "parser"));
    writeFileSync(join(folder, "parser.ts"), PARSER);
    const problem = await compile({ entry: join(folder, "parser.ts"), outfile: parser });
    if (problem !== null) throw new Error(problem);
    const project = makeProject(folder, "project", 20);
    const [small, large] = [recording(join(folder, "half.jsonl"), 50), recording(join(folder, "large.jsonl"), 100)];
    const bare: number[] = [];
    const own: number[] = [];
    const memory: { small: number[]; large: number[] } = { small: [], large: [] };
    for (let run = 0; run < (quick ? 1 : RUNS); run += 1) {
      bare.push((await costOf([parser, large], project)).cpu);
      const cost = await costOf([binary, "analyze", large], project);
      own.push(cost.cpu);
      memory.large.push(cost.peak);
      memory.small.push((await costOf([binary, "analyze", small], project)).peak);
    }
    const plain = figure("parse 100 MB: CPU", "ms", bare);
    const ralph = figure("analyze 100 MB: CPU", "ms", own);
    const [little, much] = [
      figure("analyze 50 MB: peak memory", "MB", memory.small),
      figure("analyze 100 MB: peak memory", "MB", memory.large),
    ];
    return [
      plain,
      ralph,
      ratio("analyze over parse, 100 MB", ralph, plain, MOST_OVER_BARE),
      little,
      much,
      ratio("memory of 100 MB over 50 MB", much, little, MOST_GROWTH),
    ];
  });
}

/** Writes a recording in Claude Code's stream format: mostly tool results, some text, a final event. */
function recording(path: string, megabytes: number): string {
  const file = openSync(path, "w");
  const session = { session_id: "00000000-0000-4000-8000-000000000000" };
  const line = (value: object) => `${JSON.stringify({ ...value, ...session })}\n`;
  const content = "A line of a file that was read.\n".repeat(60);
  const result = line({
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content }] },
  });
  const text = line({
    type: "assistant",
    message: { id: "m", model: "m", content: [{ type: "text", text: "On with the next file." }] },
  });
  const block = `${result}${text}`.repeat(100);
  writeSync(file, line({ type: "system", subtype: "init", model: "m" }));
  for (let written = 0; written < megabytes * 1e6; written += block.length) writeSync(file, block);
  writeSync(file, line({ type: "result", subtype: "success", is_error: false, result: "All read.", num_turns: 1 }));
  closeSync(file);
  return path;
}

async function costOf(argv: string[], cwd: string): Promise<{ cpu: number; peak: number }> {
  const child = Bun.spawn(argv, { cwd, env: environment(cwd), stdio: ["ignore", "ignore", "inherit"] });
  const samples = watchProcess(child.pid, child.exited);
  if ((await child.exited) !== 0) throw new Error(`${argv.join(" ")} failed`);
  const usage = child.resourceUsage();
  const peak = Math.max(0, ...(await samples).map((sample) => sample.peak));
  return { cpu: Number(usage?.cpuTime.total ?? Number.NaN) / 1_000, peak };
}
