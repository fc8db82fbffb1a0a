import { expect } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import type { StopReason } from "../../src/core/stop/stop-reasons.ts";
import type { AgentProject, Ended } from "./agent-project.ts";

/** The exit code, the status in `status.json`, and its reason if it differs from the journal's. */
type End = { exit: number; status: string; exitReason?: string };

/** The ends of the runs in these tests. */
const ENDS = {
  max_iterations: { exit: 4, status: "stopped" },
  max_tokens: { exit: 4, status: "stopped" },
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
  /** The model's requests in all runs of the project: what the user pays for. */
  requests: number;
  /** Default 1. */
  iterations?: number;
  /** Default: one for each iteration. */
  calls?: number;
};

/** Expects a run's end in every place that shows it: exit code, journal, `status.json`, and the model's requests. */
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

/** Polls a condition. @throws after `ms` */
export async function until(isSo: () => boolean, ms = 30_000): Promise<void> {
  const end = Date.now() + ms;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`not so within ${ms} ms: ${isSo}`);
    await Bun.sleep(20);
  }
}

/** Pids of the processes with this value of an environment variable; only on Linux. */
export function pidsWith(name: string, value: string): number[] {
  const holds = (pid: string) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`${name}=${value}`);
    } catch {
      return false; // gone, or another user's
    }
  };
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid) && holds(pid))
    .map(Number);
}

/** Whether a process runs; a zombie does not. Only on Linux. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
}
