import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../run-program.ts";
import { cleanEnvironment } from "./environment.ts";
import { judge, type Verdict } from "./junit.ts";

export type TestOptions = {
  /** ms for one test. */
  timeoutMs: number;
  /** ms for all of them. */
  limitMs?: number;
  /** Run files in parallel, each in a fresh global object. */
  parallel: boolean;
  /** How many concurrent tests of a file run at once. */
  maxConcurrency?: number;
  /** Folders to put first on PATH. */
  path?: readonly string[];
  env?: Record<string, string>;
};

/** A layer takes some minutes, and five times as long on a machine whose memory is slow. */
const LIMIT_MS = 45 * 60_000;

/** Runs test files with `bun test` in a clean environment and an empty home; `output` is the console's text. */
export async function bunTest(files: readonly string[], options: TestOptions): Promise<Verdict & { output: string }> {
  const folder = mkdtempSync(join(tmpdir(), "ralph-test-"));
  const home = join(folder, "home");
  const file = join(folder, "report.xml");
  mkdirSync(home);
  try {
    const { exitCode, output, timedOut } = await run(
      [
        process.execPath,
        "test",
        `--timeout=${options.timeoutMs}`,
        ...(options.parallel ? ["--parallel"] : []),
        ...(options.maxConcurrency === undefined ? [] : [`--max-concurrency=${options.maxConcurrency}`]),
        "--only-failures",
        "--reporter=junit",
        `--reporter-outfile=${file}`,
        ...files.map((path) => `./${path}`),
      ],
      {
        env: { ...cleanEnvironment(home, options.path), ...options.env },
        timeoutMs: options.limitMs ?? LIMIT_MS,
      },
    );
    const report = existsSync(file) ? readFileSync(file, "utf8") : null;
    const verdict = judge({ exitCode, report, files });
    const complaints = timedOut ? [...verdict.complaints, "bun test did not end and was killed"] : verdict.complaints;
    return { counts: verdict.counts, complaints, output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
