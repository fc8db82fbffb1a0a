/** Commands that only read, compared with a program that only prints a word and is compiled with the same flags. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeProject, withBench } from "../lib/bench/bench-project.ts";
import { type BenchOptions, type Figure, figure, peakMemory, ratio, startTimes } from "../lib/bench/measure.ts";
import { compile } from "../lib/build/compile.ts";
import { binary, programName } from "../lib/paths.ts";

/** At most so many times the bare program; null without a bound. */
const COMMANDS: Readonly<Record<string, number | null>> = {
  "--version": 1.2,
  "--help": 1.8,
  status: 2.5,
  plan: null,
  "completions bash": null,
};

export default function start({ quick }: BenchOptions): Promise<Figure[]> {
  const runs = quick ? 15 : 100;
  return withBench(async ({ folder }) => {
    const bare = join(folder, programName(process.platform));
    writeFileSync(join(folder, "bare.ts"), 'console.log("bare");\n');
    const problem = await compile({ entry: join(folder, "bare.ts"), outfile: bare });
    if (problem !== null) throw new Error(problem);
    const project = makeProject(folder, "project", 20);
    const commands = Object.keys(COMMANDS).map((command) => [binary, ...command.split(" ")]);
    // They take turns, so other load on the machine affects all alike.
    const [bareTimes = [], ...times] = startTimes([[bare], ...commands], runs, project);
    const plain = figure("bare program: start", "ms", bareTimes);
    return [
      plain,
      ...Object.entries(COMMANDS).flatMap(([command, most], index) => {
        const own = figure(`ralph ${command}: start`, "ms", times[index] ?? []);
        return [own, ratio(`ralph ${command} over bare program`, own, plain, most)];
      }),
      figure("bare program: peak memory", "MB", [await peakMemory([bare], 5)]),
      figure("ralph --version: peak memory", "MB", [await peakMemory([binary, "--version"], 5)]),
    ];
  });
}
