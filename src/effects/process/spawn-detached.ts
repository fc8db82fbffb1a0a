import { spawn } from "node:child_process";
import { closeSync, fstatSync } from "node:fs";
import type { EnvVars } from "../../core/env-vars.ts";
import { RalphError } from "../../core/errors.ts";
import { readRegular } from "../files/regular-file.ts";
import { openLog } from "../state-files/log-files.ts";

type DetachOptions = { cwd: string; env: EnvVars; logFile: string };

export type DetachedProcess = {
  pid: number;
  /** Its exit code once it exits; null if a signal ended it. Rejects if the program cannot start. */
  exited: Promise<{ code: number | null }>;
  /** Its output since the start. */
  output(): string;
  /** Asks it to end; a run under way stops its agent first. */
  end(): void;
  /** Lets this process exit first. */
  release(): void;
};

/**
 * Starts a program that outlives this one and its terminal, in its own session, with its output in a file.
 * @param place the program's output is appended to its `logFile`
 * @throws RalphError `environment` if it cannot be started
 */
export function spawnDetached(argv: readonly string[], place: DetachOptions): DetachedProcess {
  try {
    return start(argv, place);
  } catch (error) {
    throw notStarted(error as Error);
  }
}

function start(argv: readonly string[], { cwd, env, logFile }: DetachOptions): DetachedProcess {
  const log = openLog(logFile);
  const before = fstatSync(log).size;
  const [program = "", ...words] = argv;
  const child = spawn(program, words, {
    cwd,
    env: { ...env },
    detached: true,
    windowsHide: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  const exited = new Promise<{ code: number | null }>((resolve, reject) => {
    child.on("exit", (code) => resolve({ code }));
    child.on("error", (error) => reject(notStarted(error)));
  });
  return {
    pid: child.pid ?? 0,
    exited,
    output: () => readRegular(logFile).subarray(before).toString("utf8"),
    end: () => void child.kill("SIGTERM"),
    release: () => child.unref(),
  };
}

function notStarted(cause: Error): RalphError {
  return new RalphError("environment", `The run cannot be started in the background: ${cause.message}`, { cause });
}
