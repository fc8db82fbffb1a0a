import { GRACE_MS } from "../core/durations.ts";
import { shellCommand } from "../core/shell-command.ts";
import type { ProcessResult } from "../effects/ports.ts";
import type { Run } from "./run.ts";

export type ShellCheck = {
  command: string;
  /** Its name in the journal; the command itself unless that is hidden. */
  name?: string;
  /** Of the file for its output. */
  path: string;
  /** A folder other than the project's. */
  cwd?: string | undefined;
};

/**
 * Runs a command that checks the work in the project's folder, and records its start as that of a gate; the caller records its
 * end. Processes that it leaves behind are ended with it.
 */
export function runInShell(run: Run, { command, name = command, path, cwd }: ShellCheck): Promise<ProcessResult> {
  const { world, settings, marker } = run;
  return world.process.run(shellCommand(command, world.host.platform), {
    cwd: cwd ?? world.host.cwd,
    env: world.env,
    // One file for both streams keeps their order.
    stdoutFile: path,
    stderrFile: path,
    mask: run.masks.bytes,
    timeoutMs: settings.QUALITY_GATE_TIMEOUT * 1000,
    idleMs: 0,
    graceMs: GRACE_MS,
    signal: run.stops.killSignal,
    marker,
    onStart: ({ pid, group, startTime }) => {
      run.append({ type: "gate_started", command: name, pid, group, start_time: startTime, marker });
      run.later.now();
    },
    onLines: () => {},
    isFinished: () => false,
  });
}
