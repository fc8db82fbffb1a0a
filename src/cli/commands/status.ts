import type { State } from "../../core/journal/state.ts";
import { isReopened, type PlanReport, parseProjectPlan, planReport } from "../../core/plan/fix-plan.ts";
import { statusReport } from "../../core/report/status-report.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { jsonFile } from "../../core/state-files/file-json.ts";
import { projectAbove } from "../../effects/project/project-above.ts";
import { checkRalphDir, projectPaths, readOptional } from "../../effects/project/project-paths.ts";
import { homeFolder } from "../../effects/user/home.ts";
import { statusLines } from "../../view/status-lines.ts";
import type { WorkerRow } from "../../view/swarm-lines.ts";
import { style } from "../../view/text/style.ts";
import type { CommandContext } from "../context.ts";
import type { JsonArgs } from "../definitions/json-flag.ts";
import { loadSettings } from "../load-settings.ts";
import { projectState } from "../project-state.ts";

/** `ralph status [--json]`: the last known state. */
export async function run(context: CommandContext<JsonArgs>): Promise<number> {
  checkRalphDir(context.projectDir);
  const { settings } = loadSettings(context);
  const { state, alive, damage } = await projectState(context.projectDir);
  if (damage !== null) context.log.warn(damage);
  // Settings fill in what no run has recorded yet.
  const known = { ...state, settings: { ...settings, ...state.settings } };
  const report = statusReport(known, planOf(context.projectDir, settings), alive, Date.now());
  if (context.args.json) context.stdout(jsonFile(report));
  else {
    const above = report.run === null ? projectAbove(context.projectDir, homeFolder(context.env)) : null;
    const reopened = isReopened(state.plan, report.plan);
    const look = { style: style(context.color), width: context.rowColumns, now: Date.now(), above, reopened };
    const workers = alive && state.started_by === "swarm" ? await workersOf(context.projectDir, state) : null;
    const swarm = workers === null ? null : { state, workers };
    context.stdout(`${statusLines(report, { ...look, swarm }).join("\n")}\n`);
  }
  return 0;
}

/** Loaded where there are any. */
async function workersOf(project: string, state: State): Promise<WorkerRow[]> {
  return (await import("../show/swarm-workers.ts")).swarmWorkers(project, state);
}

function planOf(project: string, settings: Settings): PlanReport | null {
  const { plan } = projectPaths(project, null, null);
  const parsed = parseProjectPlan(readOptional(plan), settings);
  return plan === null || parsed === null
    ? null
    : planReport(plan.slice(project.length + 1).replaceAll("\\", "/"), parsed);
}
