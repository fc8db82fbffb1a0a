import { type GateSettings, gateCommands, shellCommand } from "../core/decide/gate-rules.ts";
import { GRACE_MS } from "../core/durations.ts";
import type { ProcessResult } from "../effects/ports.ts";
import type { LoopDeps } from "./deps.ts";
import { mendProject } from "./protect.ts";

/** Of a gate's output the journal keeps this much of its beginning, and of its end where that leaves it out. */
const HEAD_BYTES = 2048;
const TAIL_BYTES = 1500;

/**
 * Runs every gate in the project, one after the other, and records how each ended (product.md "Gates"). What a gate starts
 * is ended with it.
 * @param iteration number for the names of the output files; 0 before the first
 * @returns false if a stop cut them short: the gates that ran then say nothing
 */
export async function runGates(deps: LoopDeps, iteration: number): Promise<boolean> {
  const settings: GateSettings = deps.settings;
  for (const [index, command] of gateCommands(settings).entries()) {
    if (deps.stop.kill.aborted) return false;
    const result = await runGate(deps, command, `${iteration}-gate-${index + 1}.out`);
    if (result.outcome === "stopped") return false;
  }
  mendProject(deps);
  return true;
}

async function runGate(deps: LoopDeps, command: string, file: string): Promise<ProcessResult> {
  const { recorder, host, settings, marker } = deps;
  const path = deps.runFile(file);
  const result = await deps.process.run(shellCommand(command, host.platform), {
    cwd: host.cwd,
    env: deps.env,
    // One file, so that both stand in the order in which they came.
    stdoutFile: path,
    stderrFile: path,
    timeoutMs: settings.QUALITY_GATE_TIMEOUT * 1000,
    idleMs: 0,
    graceMs: GRACE_MS,
    signal: deps.stop.kill,
    marker,
    onStart: ({ pid, group, startTime }) => {
      recorder.append({ type: "gate_started", command, pid, group, start_time: startTime, marker });
    },
    onLines: () => {},
    isFinished: () => false,
  });
  const { head, tail } = deps.ends(path, { head: HEAD_BYTES, tail: TAIL_BYTES });
  recorder.append({
    type: "gate_finished",
    command,
    exit_code: result.exitCode,
    ms: result.ms,
    timed_out: result.outcome === "timed_out",
    output: result.spawnError ?? head,
    file,
    ...(tail === "" ? {} : { tail }),
  });
  return result;
}
