import { expect } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import type { StopReason } from "../../src/core/stop/stop-reasons.ts";
import type { AgentProject, Ended } from "./agent-project.ts";

/** Exit code, the word of `status.json`, and its reason where that is not the journal's. */
type End = { exit: number; status: string; exitReason?: string };

/** The ends that these tests come to. */
const ENDS = {
  max_iterations: { exit: 4, status: "stopped" },
  max_cost: { exit: 4, status: "stopped" },
  project_complete: { exit: 0, status: "completed" },
  plan_complete: { exit: 0, status: "completed" },
  stopped_by_user: { exit: 0, status: "stopped" },
  interrupted: { exit: 130, status: "stopped" },
  terminated: { exit: 143, status: "stopped" },
  usage_limit: { exit: 5, status: "stopped", exitReason: "api_5hour_limit" },
  authentication: { exit: 6, status: "halted" },
  permission_denied: { exit: 6, status: "halted" },
  permission_denials: { exit: 3, status: "halted" },
  files_deleted: { exit: 7, status: "halted" },
} satisfies Partial<Record<StopReason, End>>;

export type Spent = {
  /** Requests that the model got in all runs of the project: what was paid for. */
  requests: number;
  /** Default 1. */
  iterations?: number;
  /** Default: one for each iteration. */
  calls?: number;
};

/** How a run ended, in every place that tells it: exit code, journal, `status.json`, and the model's bill. */
export function expectEnd(
  project: AgentProject,
  ended: Ended,
  reason: keyof typeof ENDS,
  { requests, iterations = 1, calls = iterations }: Spent,
): void {
  const journal = project.journal();
  const [finished] = journal.of("run_finished");
  const { status, exit_reason } = project.status();
  const { exit, status: word, exitReason = reason }: End = ENDS[reason];
  expect({ ...finished, status, exit_reason, exit: ended.exitCode, stderr: ended.stderr }).toMatchObject({
    exit,
    stop_reason: reason,
    exit_code: exit,
    iterations,
    calls,
    status: word,
    exit_reason: exitReason,
  });
  expect(journal.gaps()).toEqual([]);
  expect(project.model.requests()).toHaveLength(requests);
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
