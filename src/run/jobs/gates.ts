import { type GateSettings, gateCommands, shellCommand } from "../../core/decide/gate-rules.ts";
import { GRACE_MS } from "../../core/durations.ts";
import type { ProcessResult } from "../../effects/ports.ts";
import { repairProject } from "../repair-project.ts";
import type { Run } from "../run.ts";

/** Bytes of a gate's output that the journal keeps: the beginning, and for a long output its end. */
const HEAD_BYTES = 2048;
const TAIL_BYTES = 1500;

/**
 * Runs all gates in the project, one after the other, and records each result (product.md "Gates"). Processes that a
 * gate leaves behind are ended with it.
 * @param iteration number for the names of the output files; 0 before the first
 * @returns false if a stop cut them short: the results so far then count for nothing
 */
export async function runGates(run: Run, iteration: number): Promise<boolean> {
  const settings: GateSettings = run.settings;
  for (const [index, command] of gateCommands(settings).entries()) {
    if (run.stops.killSignal.aborted) return false;
    const result = await runGate(run, command, `${iteration}-gate-${index + 1}.out`);
    if (result.outcome === "stopped") return false;
  }
  repairProject(run);
  return true;
}

async function runGate(run: Run, command: string, file: string): Promise<ProcessResult> {
  const { world, settings, marker } = run;
  const path = run.files.file(file);
  const result = await world.process.run(shellCommand(command, world.host.platform), {
    cwd: world.host.cwd,
    env: world.env,
    // One file for both streams keeps their order.
    stdoutFile: path,
    stderrFile: path,
    timeoutMs: settings.QUALITY_GATE_TIMEOUT * 1000,
    idleMs: 0,
    graceMs: GRACE_MS,
    signal: run.stops.killSignal,
    marker,
    onStart: ({ pid, group, startTime }) => {
      run.append({ type: "gate_started", command, pid, group, start_time: startTime, marker });
    },
    onLines: () => {},
    isFinished: () => false,
  });
  const { head, tail } = world.outputEnds(path, { head: HEAD_BYTES, tail: TAIL_BYTES });
  run.append({
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
