import { spawnSync } from "node:child_process";
import type { RunShort } from "./ports.ts";

const MOST_OUTPUT = 64 * 1024 * 1024;

/** Runs a short program to its end while ralph waits: a hook of a bash driver, jq. Never throws. */
export const runShort: RunShort = (argv, { cwd, env, input, timeoutMs }) => {
  const [program = "", ...args] = argv;
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    env,
    input: input ?? "",
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    maxBuffer: MOST_OUTPUT,
    windowsHide: true,
    encoding: "utf8",
  });
  return { exitCode: status, stdout: stdout ?? "", stderr: stderr ?? "", failure: error?.message ?? null };
};
