/** The user's projects as the page names them: by an id, so that no address holds a path. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { RalphError } from "../../core/errors.ts";
import { reduce } from "../../core/journal/reduce.ts";
import { initialState, type State } from "../../core/journal/state.ts";
import { parsePlan, planReport } from "../../core/plan/fix-plan.ts";
import { type StatusReport, statusReport } from "../../core/report/status-report.ts";
import { reasonOf } from "../../core/system-error.ts";
import { readLock } from "../../effects/journal/lock.ts";
import { createRunFollower } from "../../effects/journal/run-follower.ts";
import { projectPaths, readOptional } from "../../effects/project/project-paths.ts";

/** A project on the page: what its newest run is at, or why that cannot be told. */
export type ProjectNow = { id: string; project: string; report: StatusReport | null; fault: string | null };

/** @param project absolute path */
export function projectId(project: string): string {
  return createHash("sha256").update(project).digest("hex").slice(0, 16);
}

/** @throws RalphError `environment` if no project has that id any more */
export function projectWithId(projects: readonly string[], id: string): string {
  const found = projects.find((project) => projectId(project) === id);
  if (found !== undefined) return found;
  throw new RalphError("environment", "This project is no longer there.", { hint: "Go back to all projects." });
}

/** Follows the newest run of a project: each look reads only what the journal gained. */
export function createProjectWatch(project: string): (now: number) => ProjectNow {
  const ralph = join(project, ".ralph");
  const follower = createRunFollower(join(ralph, "runs"), null);
  let state = initialState(project);
  return (now) => {
    try {
      const update = follower.look(true);
      if (update !== null)
        state = update.events.reduce(
          (before, { event }) => reduce(before, event),
          update.isRestart ? initialState(project) : state,
        );
      return { id: projectId(project), project, report: statusNow(project, state, now), fault: null };
    } catch (error) {
      return { id: projectId(project), project, report: null, fault: reasonOf(error) };
    }
  };
}

/** What a run is at, with the plan as it is. @param now epoch ms */
export function statusNow(project: string, state: State, now: number): StatusReport {
  const lock = readLock(join(project, ".ralph", "lock"));
  const { plan } = projectPaths(project, null, null);
  const text = readOptional(plan);
  const { OPTIONAL_SECTIONS: optional } = state.settings;
  const sections = Array.isArray(optional) ? optional.map(String) : [];
  const report = plan === null || text === null ? null : planReport(plan, parsePlan(text, sections));
  return statusReport(state, report, lock?.isHeld === true && lock.pid === state.pid, now);
}
