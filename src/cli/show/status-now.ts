import { join } from "node:path";
import type { State } from "../../core/journal/state.ts";
import { type ParsedPlan, parseRecordedPlan, planReport } from "../../core/plan/fix-plan.ts";
import { type StatusReport, statusReport } from "../../core/report/status-report.ts";
import { readLock } from "../../effects/journal/lock.ts";
import { projectPaths, readOptional } from "../../effects/project/project-paths.ts";

/** What a run is at, with the plan as it is. @param now epoch ms */
export function statusNow(project: string, state: State, now: number): StatusReport {
  const lock = readLock(join(project, ".ralph", "lock"));
  const found = planNow(project, state);
  const report = found === null ? null : planReport(found.path, found.plan);
  return statusReport({ ...state, project }, report, lock?.isHeld === true && lock.pid === state.pid, now);
}

/** The plan as it is, with the sections that were optional for the run; null where there is none. */
export function planNow(
  project: string,
  { settings }: Pick<State, "settings">,
): { path: string; plan: ParsedPlan } | null {
  const { plan: path } = projectPaths(project, null, null);
  const plan = parseRecordedPlan(readOptional(path), settings);
  return path === null || plan === null ? null : { path, plan };
}
