import process from "node:process";
import { type CheckResult, failedBy, summarize, warned } from "../../core/report/check-result.ts";
import { promptFileIn, type ResolvedSettings } from "../../core/settings/resolve-settings.ts";
import type { Settings } from "../../core/settings/settings.ts";
import { jsonFile } from "../../core/state-files/file-json.ts";
import { count } from "../../core/text/count.ts";
import { createHost } from "../../effects/host.ts";
import { openKernelMarker } from "../../effects/process-tree/kernel-mark.ts";
import { hasMarker } from "../../effects/process-tree/process-tree.ts";
import { projectPaths } from "../../effects/project/project-paths.ts";
import { spendingLedger } from "../../effects/user/spending-ledger.ts";
import { VERSION } from "../../version.ts";
import { checkLines, labelWidth } from "../../view/checks.ts";
import { style } from "../../view/text/style.ts";
import { type AgentChoice, chooseAgent, driverLookup } from "../agent/agent-choice.ts";
import type { DriverLookup } from "../agent/find-driver.ts";
import type { CommandContext } from "../context.ts";
import type { JsonArgs } from "../definitions/json-flag.ts";
import { agentChecks } from "../doctor/agent-checks.ts";
import { machineChecks } from "../doctor/machine-checks.ts";
import { projectChecks } from "../doctor/project-checks.ts";
import { sandboxCheck } from "../doctor/sandbox-check.ts";
import { gateChecks, priceChecks, settingsChecks } from "../doctor/settings-checks.ts";
import { dayChecks, stateChecks } from "../doctor/state-checks.ts";
import { trustCheck } from "../doctor/trust-check.ts";
import { projectState } from "../project-state.ts";
import { updateFacts } from "../update/release-source.ts";

/**
 * `ralph doctor [--json]`: checks every precondition of a run. Changes nothing.
 * @returns 1 if something blocks a run
 */
export async function run(context: CommandContext<JsonArgs>): Promise<number> {
  const { projectDir, env } = context;
  const host = createHost(projectDir, env);
  const { resolved, results: settingsResults } = settingsChecks(context);
  const { settings } = resolved;
  const paths = projectPaths(projectDir, promptFileIn(resolved), null);
  const lookup = driverLookup(resolved, host);
  const { agent, results: agentResults } = await agentPart(context, resolved, lookup);
  const driver = agent?.driver.name ?? settings.PLATFORM_DRIVER;
  const results: CheckResult[] = [
    ...agentResults,
    ...projectChecks(paths, settings, host),
    ...settingsResults,
    trustCheck(resolved, paths, lookup),
    ...(await sandboxCheck({ settings, paths, host, agents: agent === null ? [] : [agent] })),
    ...gateChecks(settings, host),
    ...(await statePart(projectDir, { ralphDir: paths.ralph, driver, settings })),
    ...priceChecks(host),
    ...dayChecks(settings, spendingLedger(host), Date.now()),
    ...machineChecks(context, settings, {
      platform: process.platform,
      // Tried on this very process.
      canMark: openKernelMarker()?.("doctor", () => hasMarker(process.pid, "doctor")) === true,
      version: VERSION,
      releases: updateFacts(context.env, context.self).source,
    }),
  ];
  const summary = summarize(results);
  if (context.args.json) context.stdout(jsonFile({ results, summary }));
  else show(results, context);
  return summary.failed === 0 ? 0 : 1;
}

/** Checks the agent without asking questions, and without starting what the user has not agreed to. A missing driver is a finding and does not end the checks. */
async function agentPart(
  context: CommandContext<JsonArgs>,
  resolved: ResolvedSettings,
  lookup: DriverLookup,
): Promise<{ agent: AgentChoice | null; results: CheckResult[] }> {
  try {
    const agent = await chooseAgent(lookup, context.self);
    return { agent, results: await agentChecks(agent, resolved, lookup) };
  } catch (error) {
    return { agent: null, results: [failedBy("driver", error)] };
  }
}

/** A journal that cannot be read, such as that of a newer ralph, is a finding too. */
async function statePart(
  projectDir: string,
  about: { ralphDir: string; driver: string; settings: Settings },
): Promise<CheckResult[]> {
  try {
    const { state, damage } = await projectState(projectDir);
    const damaged = damage === null ? [] : [warned("journal", damage, "ralph run sets it aside")];
    return [...damaged, ...stateChecks({ state, ...about }, Date.now())];
  } catch (error) {
    return [failedBy("journal", error)];
  }
}

function show(
  results: readonly CheckResult[],
  context: Pick<CommandContext, "color" | "columns" | "stdout" | "args">,
): void {
  const { bold, green, red } = style(context.color);
  const options = { style: style(context.color), width: context.columns, labels: labelWidth(results) };
  const shown = context.args.quiet ? results.filter((result) => !result.passed) : results;
  const { failed: blocking, warned: warnings } = summarize(results);
  const verdict =
    blocking > 0
      ? red(`${blocking} of ${count(results.length, "check")} ${blocking === 1 ? "blocks" : "block"} a run.`)
      : green(warnings > 0 ? `Nothing blocks a run; ${warnings} to look at.` : "Everything a run needs is there.");
  const lines = shown.flatMap((result) => checkLines(result, options));
  context.stdout(`${[...lines, "", bold(verdict)].join("\n")}\n`);
}
