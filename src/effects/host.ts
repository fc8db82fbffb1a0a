import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import type { EnvVars } from "../core/env-vars.ts";
import type { Host } from "../driver.ts";
import { ownFolder } from "./process/own-folder.ts";
import { startFailure } from "./process/spawn-agent.ts";
import { findProgram, resolveCommand } from "./process/windows-command.ts";
import { homeFolder } from "./user/home.ts";

/** The machine as drivers see it. `cwd` is the project folder. */
export function createHost(cwd: string, env: EnvVars): Host {
  return {
    platform: process.platform,
    env,
    cwd,
    home: homeFolder(env),
    isRoot: process.getuid?.() === 0,
    which: (program) => which(program, cwd, env),
    run: (argv, timeoutMs) => runProgram(argv, timeoutMs, { cwd, env }),
  };
}

/** Absolute path of a program: takes a path as is (relative to `cwd`), looks up a bare name on PATH. */
function which(program: string, cwd: string, env: EnvVars): string | null {
  const isWindows = process.platform === "win32";
  const isPath = (isWindows ? /[\\/]/ : /\//).test(program);
  const named = isPath ? resolve(cwd, program) : program;
  if (isWindows) return findProgram(named, env);
  const folders = (env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
  const candidates = isPath ? [named] : folders.map((folder) => join(folder, program));
  return candidates.find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // missing or not executable for this user
  }
}

/**
 * Runs a short program to its end, such as `--version`. If it cannot start, there is no exit code and stderr holds the
 * reason; a timeout has no exit code either.
 */
function runProgram(
  argv: readonly string[],
  timeoutMs: number,
  { cwd, env }: { cwd: string; env: EnvVars },
): ReturnType<Host["run"]> {
  const [named = ""] = argv;
  const real = resolveCommand(argv, env);
  const refused = (why: string) => ({ exit_code: null, stdout: "", stderr: why });
  if ("refused" in real) return Promise.resolve(refused(real.refused));
  const [program = "", ...args] = real.argv;
  const options = {
    cwd: ownFolder(),
    timeout: timeoutMs,
    // A program can ignore SIGTERM; SIGKILL bounds the wait.
    killSignal: "SIGKILL" as const,
    windowsHide: true,
    windowsVerbatimArguments: real.verbatim,
    maxBuffer: 1 << 20,
  };
  return new Promise((done) => {
    const fail = (error: unknown) => done(refused(startFailure(named, cwd, error)));
    try {
      const { stdin } = execFile(program, args, options, (error, stdout, stderr) => {
        if (typeof error?.code === "string" && !error.code.startsWith("ERR_")) return fail(error);
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : null;
        done({ exit_code: code, stdout: String(stdout), stderr: String(stderr) });
      });
      // Some programs wait for their input to end before they do anything.
      stdin?.on("error", () => {}).end();
    } catch (error) {
      // Bun throws some start errors instead of passing them on.
      fail(error);
    }
  });
}
