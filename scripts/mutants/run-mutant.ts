import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RunResult, run } from "../lib/run-program.ts";
import { cleanEnvironment } from "../lib/tests/environment.ts";
import { type Mutant, mutated } from "./generate.ts";
import type { TestsOf } from "./tests-of.ts";
import type { TreeCopy } from "./tree-copy.ts";

/** What became of a mutant: a test failed, the tests took too much time or memory, or nobody noticed. */
export type Fate = "killed" | "killed by limit" | "survived";

/** A mutant's fate, and what the last tests said. */
export type Trial = { fate: Fate; output: string };

/** ms for one helping of tests, and memory for any. */
export type Limits = Readonly<Record<keyof TestsOf | "megabytes", number>>;

/** ms for one test: generous, so that a busy machine kills no mutant. */
const TEST_MS = 20_000;
const GUARD = join(import.meta.dirname, "guard", "preload.ts");

/**
 * Runs test files in a copy, up to the first file that fails.
 * @throws Error if they cannot be run at all, which says nothing of any mutant
 */
export async function runTests(
  copy: TreeCopy,
  tests: readonly string[],
  { timeoutMs, megabytes, signal }: { timeoutMs: number; megabytes: number; signal: AbortSignal },
): Promise<RunResult> {
  const { root, home, temporary } = copy;
  const folders = { TMPDIR: temporary, TEMP: temporary, TMP: temporary };
  const env = { ...cleanEnvironment(home), ...folders, GUARD_MEGABYTES: String(megabytes) };
  const files = tests.map((file) => `./${file}`);
  const flags = ["--bail", "--only-failures", `--timeout=${TEST_MS}`, `--preload=${GUARD}`];
  const argv = [process.execPath, "test", ...flags, ...files];
  const ended = await run(argv, { cwd: root, env, timeoutMs, signal });
  if (ended.exitCode === 127 && !signal.aborted) throw new Error(ended.output);
  return ended;
}

/**
 * Puts a mutant into a copy, lets the tests look at it, and takes it out again.
 * @returns null if it was interrupted, so that nothing is known
 */
export async function runMutant(
  copy: TreeCopy,
  mutant: Mutant,
  { tests, limits, signal }: { tests: TestsOf; limits: Limits; signal: AbortSignal },
): Promise<Trial | null> {
  const path = join(copy.root, mutant.file);
  const source = readFileSync(path, "utf8");
  writeFileSync(path, mutated(source, mutant));
  try {
    let output = "";
    const { megabytes } = limits;
    for (const helping of ["near", "far"] as const) {
      if (tests[helping].length === 0) continue;
      const ended = await runTests(copy, tests[helping], { timeoutMs: limits[helping], megabytes, signal });
      // Ctrl+C reaches the tests too, perhaps before it is heard here.
      await new Promise(setImmediate);
      if (signal.aborted) return null;
      if (ended.timedOut) return { fate: "killed by limit", output: ended.output };
      if (ended.exitCode !== 0) return { fate: "killed", output: ended.output };
      output = ended.output;
    }
    return { fate: "survived", output };
  } finally {
    writeFileSync(path, source);
  }
}
