/** `ralph --version` beside a program that only prints a word, compiled with the same flags. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compile } from "../lib/compile.ts";
import { type Figure, figure, peakMemory, startTimes } from "../lib/measure.ts";
import { binary, programName } from "../lib/paths.ts";

const timeRuns = 100;
const memoryRuns = 20;

/** Start time and peak memory of both programs. */
export default async function start(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), "ralph-bench-"));
  try {
    const bare = join(folder, programName(process.platform));
    writeFileSync(join(folder, "bare.ts"), 'console.log("bare");\n');
    const problem = await compile({ entry: join(folder, "bare.ts"), outfile: bare });
    if (problem !== null) throw new Error(problem);
    const [bareTimes = [], ralphTimes = []] = startTimes([[bare], [binary, "--version"]], timeRuns);
    return [
      figure("bare program: start", "ms", bareTimes),
      figure("ralph --version: start", "ms", ralphTimes),
      figure("bare program: peak memory", "MB", [await peakMemory([bare], memoryRuns)]),
      figure("ralph --version: peak memory", "MB", [await peakMemory([binary, "--version"], memoryRuns)]),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
