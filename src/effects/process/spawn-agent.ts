import { type ChildProcess, spawn } from "node:child_process";
import process from "node:process";
import type { Readable } from "node:stream";
import { codeOf, messageOf } from "../../core/system-error.ts";
import type { Command } from "../../driver.ts";
import { isFolderAt } from "../files/path-kind.ts";
import type { KernelMarker } from "../process-tree/kernel-mark.ts";
import { resolveCommand } from "./windows-command.ts";

export type Agent = { child: ChildProcess; pid: number; pipes: { stdout: Readable; stderr: Readable } };

export type SpawnPlace = {
  cwd: string;
  env: Record<string, string>;
  /** Value of RALPH_RUN in `env`. */
  marker: string;
  mark: KernelMarker;
};

/**
 * Starts a program in its own process group, with the prompt or nothing on stdin. A failure is returned as a sentence. Bun
 * throws some start errors and emits others as events; Deno emits all of them.
 */
export async function spawnAgent(
  command: Command,
  { cwd, env, marker, mark }: SpawnPlace,
): Promise<Agent | { error: string }> {
  const isWindows = process.platform === "win32";
  const [named = ""] = command.argv;
  // No system passes NUL on, and an agent's words may hold it: its next call must not fail for that.
  const real = resolveCommand(
    command.argv.map((word) => word.replaceAll("\0", "\uFFFD")),
    env,
  );
  if ("refused" in real) return { error: `Cannot start ${named}: ${real.refused}.` };
  const [program = "", ...args] = real.argv;
  let child: ChildProcess;
  try {
    child = mark(marker, () =>
      spawn(program, args, {
        cwd,
        // As a shell's `cd` has it: some programs work in the folder that PWD names, whatever theirs is.
        env: { ...env, PWD: cwd },
        stdio: [command.stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
        detached: !isWindows,
        // A separate console: it must not receive our Ctrl+C.
        windowsHide: true,
        windowsVerbatimArguments: real.verbatim,
      }),
    );
  } catch (error) {
    return { error: startFailure(named, cwd, error) };
  }
  const failure = new Promise<unknown>((resolve) => child.on("error", resolve));
  const { pid, stdout, stderr } = child;
  if (pid === undefined || stdout === null || stderr === null) {
    return { error: startFailure(named, cwd, await failure) };
  }
  feed(child, command.stdin);
  return { child, pid, pipes: { stdout, stderr } };
}

/** Writes the prompt and closes stdin. An agent that exits or does not read breaks the pipe; that is not an error. */
function feed(child: ChildProcess, prompt: string | undefined): void {
  child.stdin?.on("error", () => {});
  child.stdin?.end(prompt);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "it was not found (or the interpreter in its first line was not)",
  EACCES: "it is not executable",
  EPERM: "it is not executable",
  ENOEXEC: "it is not a program for this machine (or a script whose first line names no interpreter)",
  ENOTDIR: "a part of its path is not a folder",
  E2BIG: "its arguments and environment are too long",
  EAGAIN: "the system allows no more processes",
  EMFILE: "ralph has too many files open",
};

/** A sentence that says why a program could not start. */
export function startFailure(program: string, cwd: string, error: unknown): string {
  if (!isFolderAt(cwd)) return `Cannot start ${program}: the folder ${cwd} does not exist.`;
  const code = codeOf(error);
  return `Cannot start ${program}: ${REASONS[code] ?? messageOf(error)}.`;
}
