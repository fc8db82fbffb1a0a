/** Commands that only read, compared with a program that only prints a word and is compiled with the same flags. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeProject, withBench } from "../lib/bench/bench-project.ts";
import { type BenchOptions, type Figure, figure, peakMemory, ratio, startTimes } from "../lib/bench/measure.ts";
import { compile } from "../lib/build/compile.ts";
import { binary, programName } from "../lib/paths.ts";

const MOST_OVER_BARE = 1.3;
const COMMANDS = ["--help", "status", "plan", "completions bash"];

export default function start({ quick }: BenchOptions): Promise<Figure[]> {
  const runs = quick ? 15 : 100;
  return withBench(async ({ folder }) => {
    const bare = join(folder, programName(process.platform));
    writeFileSync(join(folder, "bare.ts"), 'console.log("bare");\n');
    const problem = await compile({ entry: join(folder, "bare.ts"), outfile: bare });
    if (problem !== null) throw new Error(problem);
    const project = makeProject(folder, "project", 20);
    const commands = COMMANDS.map((command) => [binary, ...command.split(" ")]);
    const [bareTimes = [], versionTimes = []] = startTimes([[bare], [binary, "--version"]], runs);
    const times = startTimes(commands, Math.ceil(runs / 4), project);
    const plain = figure("bare program: start", "ms", bareTimes);
    const version = figure("ralph --version: start", "ms", versionTimes);
    return [
      plain,
      version,
      ratio("ralph --version over bare program", version, plain, MOST_OVER_BARE),
      ...COMMANDS.map((command, index) => figure(`ralph ${command}: start`, "ms", times[index] ?? [])),
      figure("bare program: peak memory", "MB", [await peakMemory([bare], 5)]),
      figure("ralph --version: peak memory", "MB", [await peakMemory([binary, "--version"], 5)]),
    ];
  });
}
