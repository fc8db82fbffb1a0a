import type { StatusReport } from "../../core/report/status-report.ts";
import { jsonLine } from "../../core/state-files/file-json.ts";
import { reasonOf } from "../../core/system-error.ts";
import { singleLine } from "../../core/text/plain-text.ts";
import { systemClock } from "../../effects/clock.ts";
import { createHost } from "../../effects/host.ts";
import { listProjects } from "../../effects/user/project-list.ts";
import { halfWorktrees } from "../../effects/worktrees/worktrees.ts";
import { byUrgency, processLines } from "../../view/process-lines.ts";
import { style } from "../../view/text/style.ts";
import type { CommandContext } from "../context.ts";
import type { PsArgs } from "../definitions/ps.ts";
import { projectState } from "../project-state.ts";
import { statusNow } from "../show/status-now.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** `ralph ps [--all] [--json]`: the newest run of each of this user's projects, live ones and those that need a person first. */
export async function run(context: CommandContext<PsArgs>): Promise<number> {
  const { args, env, projectDir, log } = context;
  const now = systemClock.now();
  const reports: StatusReport[] = [];
  const projects = listProjects(createHost(projectDir, env));
  for (const project of projects) {
    try {
      reports.push(statusNow(project, (await projectState(project)).state, now));
    } catch (error) {
      log.warn(`${singleLine(project)} cannot be read: ${reasonOf(error)}`);
    }
  }
  const shown = reports.filter((report) => args.all || isOfInterest(report, now)).sort(byUrgency);
  const half = halfWorktrees(projects);
  if (args.json)
    context.stdout(
      jsonLine({
        runs: shown,
        half_worktrees: half.map(({ owner: project, name, state }) => ({ project, name, state })),
      }),
    );
  else {
    const hidden = reports.length - shown.length;
    const lines = processLines(shown, {
      style: style(context.color),
      width: context.rowColumns,
      now,
      hidden,
      half,
      home: env.HOME,
    });
    context.stdout(`${lines.join("\n")}\n`);
  }
  return 0;
}

function isOfInterest({ status, needs, updated_at }: StatusReport, now: number): boolean {
  const isRecent = updated_at !== null && now - Date.parse(updated_at) < DAY_MS;
  return status === "running" || needs.length > 0 || isRecent;
}
