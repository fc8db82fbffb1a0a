import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./paths.ts";

export type RunOptions = {
  cwd?: string;
  env?: Record<string, string>;
  /** Wall ms after which the program is ended. */
  timeoutMs?: number;
  /** Ends the program when it is aborted. */
  signal?: AbortSignal;
};

export type RunResult = {
  /** null if a signal ended it. */
  exitCode: number | null;
  /** The signal that ended it; null for none. */
  endedBy: string | number | null;
  /** stdout and stderr, interleaved as they were written. */
  output: string;
  timedOut: boolean;
};

/** Runs a program to its end without a terminal; default folder: the project. Never throws. */
export async function run(argv: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const { cwd = root, env, timeoutMs = 600_000, signal } = options;
  const folder = mkdtempSync(join(tmpdir(), "ralph-run-"));
  const file = join(folder, "output");
  // One file for both streams keeps their order, which two pipes would not.
  const descriptor = openSync(file, "a");
  try {
    const child = Bun.spawn([...argv], {
      cwd,
      env: env ?? process.env,
      stdio: ["ignore", descriptor, descriptor],
      timeout: timeoutMs,
      killSignal: "SIGKILL",
      ...(signal && { signal }),
    });
    await child.exited;
    const timedOut = child.signalCode === "SIGKILL";
    return { exitCode: child.exitCode, endedBy: child.signalCode, output: readFileSync(file, "utf8"), timedOut };
  } catch (error) {
    return {
      exitCode: 127,
      endedBy: null,
      output: `${argv[0]}: ${error instanceof Error ? error.message : error}\n`,
      timedOut: false,
    };
  } finally {
    closeSync(descriptor);
    rmSync(folder, { recursive: true, force: true });
  }
}
