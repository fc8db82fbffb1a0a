import { expect } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import type { StopReason } from "../../src/core/stop.ts";
import type { AgentProject, Ended } from "./agent-project.ts";

export type WantedEnd = {
  reason: StopReason;
  exit: number;
  /** The words of `status.json`. */
  status: string;
  exitReason?: string;
  iterations: number;
  calls: number;
  /** Requests that the model got in all runs of the project: what was paid for. */
  requests: number;
};

/** How a run ended, in every place that tells it: exit code, journal, `status.json`, and the model's bill. */
export function expectEnd(project: AgentProject, ended: Ended, wanted: WantedEnd): void {
  const journal = project.journal();
  const { stop_reason, exit_code, iterations, calls } = journal.of("run_finished")[0] ?? {};
  const { status, exit_reason } = project.status();
  const found = { stop_reason, exit_code, iterations, calls, status, exit_reason };
  const { reason, exit, exitReason = reason } = wanted;
  expect({ ...found, exit: ended.exitCode, stderr: ended.stderr }).toMatchObject({
    exit,
    stop_reason: reason,
    exit_code: exit,
    iterations: wanted.iterations,
    calls: wanted.calls,
    status: wanted.status,
    exit_reason: exitReason,
  });
  expect(journal.gaps()).toEqual([]);
  expect(project.model.requests()).toHaveLength(wanted.requests);
}

/** Waits until something is so. @throws after `ms` */
export async function until(isSo: () => boolean, ms = 30_000): Promise<void> {
  const end = Date.now() + ms;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`not so within ${ms} ms: ${isSo}`);
    await Bun.sleep(20);
  }
}

/** Pids of the processes whose environment holds a variable with this value; only on Linux. */
export function pidsWith(name: string, value: string): number[] {
  const holds = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`${name}=${value}`);
    } catch {
      return false; // gone, or somebody else's
    }
  };
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid) && holds(pid))
    .map(Number);
}

/** Whether a process runs; one that is dead and only waits to be reaped does not. Only on Linux. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
}
