import { spawnSync } from "node:child_process";
import type { RunSync } from "../ports.ts";
import { resolveCommand } from "./windows-command.ts";

const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Runs a short program, such as a bash driver's hook or jq, to its end while ralph waits. Never throws. */
export const runSync: RunSync = (argv, { cwd, env, input, timeoutMs, encoding = "utf8" }) => {
  const real = resolveCommand(argv, env);
  if ("refused" in real) return { exitCode: null, stdout: "", stderr: "", failure: real.refused };
  const [program = "", ...args] = real.argv;
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    env,
    input: input ?? "",
    timeout: timeoutMs,
    killSignal: "SIGKILL",
    maxBuffer: MAX_OUTPUT_BYTES,
    windowsHide: true,
    windowsVerbatimArguments: real.verbatim,
    encoding,
  });
  return { exitCode: status, stdout: stdout ?? "", stderr: stderr ?? "", failure: error?.message ?? null };
};
